// The elements that draw charts of one or several explanations.
import {
  checkChartLook,
  COMPARISON,
  DEPENDENCE,
  IMPORTANCE,
  RECOURSE,
  STEADINESS,
  SUMMARY,
  TARGETS,
  WATERFALL,
} from '../charts/render-charts.js';
import { sourcesOfComparison } from '../measure/comparison.js';
import { sourcesOfRecourse } from '../measure/recourse-source.js';
import { sourcesOfSummary } from '../measure/summary.js';
import { svgOf } from '../render/drawing.js';
import { PALETTES, paintOf, VALUE_ROLES } from '../render/palette.js';
import { escape } from '../render/wording.js';
import { canvasMeasure } from './canvas.js';
import { LinexFigure } from './interactive-figure.js';
import { addSheet, sheetOf } from './style-sheet.js';

/**
 * @typedef {import('../charts/chart-frame.js').Chart} Chart
 * @typedef {import('../render/wording.js').Explanation} Explanation
 * @typedef {import('./interactive-figure.js').FeatureFocus} FeatureFocus
 */

const [PALETTE] = PALETTES;
const values = VALUE_ROLES.map((role) => {
  const [light, dark] = /** @type {const} */ (['light', 'dark']).map((theme) => paintOf(role, PALETTE, theme));
  return `.linex-${role}{--step:${light};--step:light-dark(${light},${dark})}`;
});
// In forced colors, grid lines stay fainter than marks, and signs on bars stay visible.
const RULES = `
.linex{padding:0}
svg{border-radius:9px}
${values.join('')}
@media (forced-colors:active){:host .linex-line{fill:GrayText}:host [class*=linex-on-]{fill:Canvas}}
`;
const sheet = sheetOf(() => RULES);

/**
 * The base class of the charts. Each part of a chart that the reader can point at is a stop; its key is its place.
 *
 * Attributes `palette`, `theme`, `locale`, `features`; properties `labels`, `answerFormat`; event `feature-focus`; parts
 * `figure`, `stage`, `tooltip`.
 *
 * @abstract
 */
export class LinexChart extends LinexFigure {
  static observedAttributes = [...LinexFigure.observedAttributes, 'features'];
  /** @type {import('../charts/render-charts.js').ChartKind<any>} */
  static chart;

  /** @type {Chart | null} */
  #chart = null;
  /** What `read` made of the subject, which takes longer than drawing it. @type {{ of: any, view: string | null, data: any } | null} */
  #read = null;

  constructor() {
    super();
    addSheet(this.root, sheet);
    this.redrawOnResize();
  }

  /** Checks what is to be shown, and shows it. @param {any} value */
  show(value) {
    if (value !== null) this.#dataOf(value);
    this.subject = value;
  }

  /** The explanations that are shown. @returns {readonly any[]} */
  get sources() {
    return this.subject;
  }

  /** @param {any} value */
  #dataOf(value) {
    const { chart } = /** @type {typeof LinexChart} */ (this.constructor);
    const view = chart.options.includes('view') ? this.getAttribute('view') : null;
    if (this.#read?.of !== value || this.#read?.view !== view) {
      const data = chart.read(value, `<${this.localName}>`, /** @type {any} */ (view) ?? undefined);
      this.#read = { of: value, view, data };
    }
    return this.#read.data;
  }

  /** The options that the chart takes, besides those of all figures. @param {Record<string, any>} attributes @returns {Record<string, any>} */
  options({ features, view }) {
    return { ...(features !== undefined && { features: Number(features) }), ...(view !== undefined && { view }) };
  }

  /** @param {any} subject */
  look(subject) {
    const attributes = super.look(subject);
    const { palette, theme, locale } = attributes;
    const { chart } = /** @type {typeof LinexChart} */ (this.constructor);
    const { labels, answerFormat } = this;
    const given = { palette, theme, locale, labels, answerFormat, ...this.options(attributes) };
    // The figure's border takes one pixel on each side.
    return {
      ...checkChartLook(given, chart, `<${this.localName}>`),
      width: this.drawingWidth - 2,
      measure: canvasMeasure(),
    };
  }

  /** @param {any} subject @param {any} look @returns {Chart} */
  #layout(subject, look) {
    const { chart } = /** @type {typeof LinexChart} */ (this.constructor);
    return chart.layout(this.#dataOf(subject), look);
  }

  /** @param {any} subject @param {any} look */
  contents(subject, look) {
    this.#chart = this.#layout(subject, look);
    const { drawing, sentence, table } = this.#chart;
    const svg = svgOf(drawing, { ...look, theme: 'light', interactive: true });
    const cells = (/** @type {string[]} */ [first, ...rest]) =>
      `<tr><th scope="row">${escape(first)}</th>${rest.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`;
    const headings = table.headings.map((heading) => `<th scope="col">${escape(heading)}</th>`);
    return (
      `<div part="stage">${svg}</div><div class="linex-hidden"><table><caption>${escape(drawing.title)} ${escape(sentence)}</caption>` +
      `<thead><tr>${headings.join('')}</tr></thead><tbody>${table.rows.map(cells).join('')}</tbody></table></div>`
    );
  }

  /** @param {any} subject @param {any} look */
  drawing(subject, look) {
    return this.#layout(subject, look).drawing;
  }

  /** @param {number | null} key */
  describe(key) {
    return key === null ? undefined : this.#chart?.stops[key]?.details;
  }

  /** @param {number | null} key @returns {FeatureFocus} */
  focusOn(key) {
    const { feature = null, name = null } = (key === null ? undefined : this.#chart?.stops[key]) ?? {};
    const { sources } = this;
    return { explanation: sources.length === 1 ? sources[0] : null, explanations: sources, feature, name };
  }

  /** @param {FeatureFocus} focus */
  stopsOn({ explanation, explanations = [explanation], feature, name }) {
    const { sources } = this;
    const shared = sources === explanations || sources.some((one) => explanations.includes(one));
    if (!shared) return undefined;
    const single = sources.length === 1 && explanation === sources[0];
    // A word may have another index in another text.
    const same = single
      ? (/** @type {Chart['stops'][number]} */ stop) => stop.feature === feature
      : (/** @type {Chart['stops'][number]} */ stop) => stop.name === name;
    const stops = this.#chart?.stops ?? [];
    return feature === null ? [] : stops.flatMap((stop, key) => (stop.feature !== null && same(stop) ? [key] : []));
  }
}

/** A chart of several explanations. @abstract */
class ChartOfMany extends LinexChart {
  static properties = [...LinexChart.properties, 'explanations'];

  /** The explanations to show; null shows nothing. @returns {readonly Explanation[] | null} */
  get explanations() {
    return this.subject;
  }

  /** @throws {TypeError}  if they are no explanations, or cannot be shown together */
  set explanations(value) {
    this.show(value);
  }
}

/**
 * `<linex-waterfall>` leads from the answer at the reference through the contributions to the model's answer.
 *
 * Property `explanation`.
 */
export class LinexWaterfall extends LinexChart {
  static properties = [...LinexChart.properties, 'explanation'];
  static chart = WATERFALL;

  /** The explanation to show; null shows nothing. @returns {Explanation | null} */
  get explanation() {
    return this.subject;
  }

  /** @throws {TypeError}  if the value is not an explanation with contributions */
  set explanation(value) {
    this.show(value);
  }

  get sources() {
    return [this.subject];
  }
}

/** `<linex-summary>` shows one dot per row and feature. Property `explanations`. */
export class LinexSummary extends ChartOfMany {
  static chart = SUMMARY;
}

/** `<linex-importance>` shows how much each feature matters. Property `summary`, from `summarize`. */
export class LinexImportance extends LinexChart {
  static properties = [...LinexChart.properties, 'summary'];
  static chart = IMPORTANCE;

  /** The summary to show; null shows nothing. @returns {import('../measure/summary.js').Summary | null} */
  get summary() {
    return this.subject;
  }

  /** @throws {TypeError}  if the value is no summary */
  set summary(value) {
    this.show(value);
  }

  get sources() {
    return sourcesOfSummary(this.subject) ?? [this.subject];
  }
}

/** `<linex-dependence feature="…">` shows how one feature moves the answer. Property `explanations`. */
export class LinexDependence extends ChartOfMany {
  static observedAttributes = [...LinexFigure.observedAttributes, 'feature', 'view'];
  static chart = DEPENDENCE;

  /** @param {Record<string, any>} attributes */
  options({ feature, view }) {
    const named = this.explanations?.some(({ features }) => features.some(({ name }) => name === feature));
    return { feature: named ? feature : Number(feature), ...(view !== undefined && { view }) };
  }

  draw() {
    // Without a feature there is nothing to draw yet.
    if (this.hasAttribute('feature')) super.draw();
  }
}

/** `<linex-comparison>` shows why two answers differ. Properties `comparison`, from `compare`, and `names` of the two. */
export class LinexComparison extends LinexChart {
  static properties = [...LinexChart.properties, 'names', 'comparison'];
  static chart = COMPARISON;

  /** @type {readonly [string, string] | undefined} */
  #names;

  /** What the two answers are called. */
  get names() {
    return this.#names;
  }

  set names(value) {
    this.#names = value;
    this.draw();
  }

  /** The comparison to show; null shows nothing. @returns {import('../measure/comparison.js').Comparison | null} */
  get comparison() {
    return this.subject;
  }

  /** @throws {TypeError}  if the value is no comparison */
  set comparison(value) {
    this.show(value);
  }

  /** @param {Record<string, any>} attributes */
  options(attributes) {
    return { ...super.options(attributes), ...(this.#names && { names: this.#names }) };
  }

  get sources() {
    return sourcesOfComparison(this.subject) ?? [this.subject];
  }
}

/** `<linex-steadiness>` shows signs over seeds or neighbors. Property `explanations`, attribute `view`. */
export class LinexSteadiness extends ChartOfMany {
  static observedAttributes = [...LinexChart.observedAttributes, 'view'];
  static chart = STEADINESS;
}

/** `<linex-targets>` shows several targets in one picture. Property `explanations`. */
export class LinexTargets extends ChartOfMany {
  static chart = TARGETS;
}

/** `<linex-recourse>` shows what would change an answer. Property `recourse`, from `recourse`. */
export class LinexRecourse extends LinexChart {
  static observedAttributes = LinexFigure.observedAttributes;
  static properties = [...LinexChart.properties, 'recourse'];
  static chart = RECOURSE;

  /** The result to show; null shows nothing. @returns {import('../measure/recourse-result.js').Recourse | null} */
  get recourse() {
    return this.subject;
  }

  /** @throws {TypeError}  if the value is no result of `recourse` */
  set recourse(value) {
    this.show(value);
  }

  get sources() {
    return sourcesOfRecourse(this.subject) ?? [this.subject];
  }
}
