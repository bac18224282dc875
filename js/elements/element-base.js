// The base class of the three elements: drawing, focus, tooltips and export.
import { checkChoice, checkNumber } from '../core/check-options.js';
import { svgOf } from '../render/drawing.js';
import { layoutLegend } from '../render/layout-text.js';
import { PALETTES, PLAIN_ROLES, THEMES } from '../render/palette.js';
import { Reading } from '../render/reading.js';
import { detailsHTML, tableHTML } from '../render/render-html.js';
import { stylesFor } from '../render/styles.js';
import { checkDrawable } from '../render/wording.js';
import { canvasMeasure, paintDrawing, pngOf } from './canvas.js';

/**
 * @typedef {import('../render/wording.js').Explanation} Explanation
 * @typedef {import('../render/drawing.js').Drawing} Drawing
 *
 * @typedef {object} Look  the element's attributes
 * @property {import('../render/palette.js').Palette} palette
 * @property {import('../render/palette.js').Theme} theme
 * @property {Reading} reading  how the explanation is read: its view, words and numbers
 * @property {'heatmap' | 'outlines'} [mode]
 * @property {number} [opacity]
 * @property {'both' | 'positive' | 'negative'} [sign]
 *
 * @typedef {{ explanation: Explanation, feature: number | null }} FeatureFocus  the detail of a `feature-focus` event
 */

const NUMBERS = ['full-weight', 'opacity'];
const WHITE = 'rgb(255, 255, 255)';

// <linex-image> and its legend have the colors of the light scale in every theme.
const RULES = `
:host{display:block}
:host([hidden]){display:none}
[data-feature]{outline:none}
.linex-word.linex-lit{outline:2px solid var(--ink);outline-offset:1px}
svg{display:block;max-width:100%;height:auto}
:host(:not(linex-image)) svg *{fill:var(--step)}
${PLAIN_ROLES.map((role) => `.linex-${role}{--step:var(--${role});fill:var(--step)}`).join('')}
:host .linex-hit{fill:none;pointer-events:all}
.linex-lit .linex-hit{fill:var(--line);fill-opacity:.3;stroke:var(--ink)}
:host(linex-bars) .linex{padding:0}
:host(linex-bars) .linex-details{margin:0 20px 14px}
:host(linex-bars) svg{border-radius:9px}
.linex-frame{position:relative;margin-bottom:16px}
.linex-frame canvas{display:block;width:100%;border-radius:6px}
.linex-frame svg{position:absolute;inset:0;width:100%;height:100%;pointer-events:none;overflow:visible}
.linex-frame path{fill:none;stroke:#fff;stroke-width:5;vector-effect:non-scaling-stroke;stroke-linecap:square}
.linex-frame path+path{stroke:#000;stroke-width:2}
.linex-spot{position:absolute;opacity:0;pointer-events:none}
#tip{position:absolute;z-index:1;white-space:pre-line;width:max-content;max-width:min(320px,100% - 16px);box-sizing:border-box;padding:8px 12px;border:1px solid;border-radius:8px;background:var(--ink);color:var(--ground);font-size:13px}
#tip::first-line{font-weight:600}
@media print{#tip{display:none}}
@media (forced-colors:active){:host(:not(linex-image)) svg *{fill:CanvasText}:host(:not(linex-image)) :is(.linex-ground,[class*=linex-n]){fill:Canvas}:host(:not(linex-image)) [class*=linex-n]{stroke:CanvasText}.linex-lit .linex-hit{fill:none;stroke:Highlight}}
`;

const sheet = new CSSStyleSheet();
sheet.replaceSync(stylesFor(PALETTES, THEMES) + RULES);

/**
 * The base class of the three elements. It shows an explanation whose features can be reached by pointer and keyboard,
 * a tooltip, and a table for screen readers. It highlights the feature that the user points at in any element that
 * shows the same explanation.
 *
 * @abstract
 */
export class LinexElement extends HTMLElement {
  static observedAttributes = ['palette', 'full-weight', 'theme', 'view', 'order', 'locale'];
  /** The kind of explanation that it shows; undefined for any kind. @type {'text' | 'image' | undefined} */
  static kind;

  /** The default `pixelRatio` of `toPNG`. */
  pixelRatio = 2;
  /** @type {Explanation | null} */
  #explanation = null;
  /** @type {Partial<import('../render/labels.js').Labels>} */
  #labels = {};
  /** @type {import('../data/table.js').NumberFormat | undefined} */
  #answerFormat;
  /** The explanation's features as they are read, by index. @type {Map<unknown, import('../render/reading.js').Item>} */
  #items = new Map();
  /** @type {Reading | undefined} */
  #reading;
  /** The index of the highlighted feature. @type {number | null} */
  #highlighted = null;
  /** True while `draw` restores the focus: the user did not move it, so there is no event. */
  #restoringFocus = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    /** @type {Record<string, (event: any) => void>} */
    const handlers = {
      pointermove: (event) => this.#onPointerMove(event),
      click: (event) => this.stopUnder(event)?.focus(),
      focusin: ({ target }) => this.#onFocusIn(target),
      focusout: ({ relatedTarget }) => !this.#restoringFocus && !root.contains(relatedTarget) && this.#select(null),
      keydown: (event) => this.#onKeyDown(event),
    };
    for (const [type, handler] of Object.entries(handlers)) root.addEventListener(type, handler);
    this.addEventListener('pointerleave', () => this.#select(this.#stopInFocus));
  }

  /** The explanation to show; null shows nothing. @returns {Explanation | null} */
  get explanation() {
    return this.#explanation;
  }

  /** @throws {TypeError}  if the value is not an explanation of the element's kind */
  set explanation(value) {
    const { kind } = /** @type {typeof LinexElement} */ (this.constructor);
    if (value !== null) checkDrawable(value, `<${this.localName}>`, kind);
    this.#explanation = value;
    this.#highlighted = null;
    this.draw();
  }

  /** Texts that replace ours, for example in another language. */
  get labels() {
    return this.#labels;
  }

  set labels(value) {
    this.#labels = value;
    this.draw();
  }

  /** How answers and effects are written, as `Intl.NumberFormat` takes it. */
  get answerFormat() {
    return this.#answerFormat;
  }

  set answerFormat(value) {
    this.#answerFormat = value;
    this.draw();
  }

  connectedCallback() {
    // A page may have set properties before the element was defined. They hide the setters until they are deleted.
    const element = /** @type {Record<string, any>} */ (this);
    for (const name of ['labels', 'answerFormat', 'image', 'explanation']) {
      if (!Object.hasOwn(element, name)) continue;
      const early = element[name];
      delete element[name];
      element[name] = early;
    }
    document.addEventListener('feature-focus', this.#follow);
    this.draw();
  }

  disconnectedCallback() {
    document.removeEventListener('feature-focus', this.#follow);
  }

  attributeChangedCallback() {
    this.draw();
  }

  /** Draws everything again and keeps the focus. */
  draw() {
    const { root } = this;
    const explanation = this.#explanation;
    const place = this.stops.indexOf(/** @type {HTMLElement} */ (this.#stopInFocus));
    const { open = false } = root.querySelector('details') ?? {};
    const onDetails = root.activeElement?.localName === 'summary';
    this.#restoringFocus = true;
    try {
      root.replaceChildren();
      if (!explanation || !this.isConnected) return;
      const look = this.look(explanation);
      this.#reading = look.reading;
      this.#items = new Map(look.reading.items.map((item) => [item.feature.index, item]));
      root.innerHTML =
        `<figure class="linex linex-${look.palette} linex-${look.theme}" part="figure">` +
        `<div part="stage">${this.stage(explanation, look)}</div>${tableHTML(look.reading)}` +
        `${detailsHTML(look.reading, open)}<div id="tip" part="tooltip" role="tooltip" hidden></div></figure>`;
      this.finish(explanation, look);
      if (onDetails) root.querySelector('summary')?.focus();
      const { stops } = this;
      (stops[place] ?? stops[0])?.setAttribute('tabindex', '0');
      stops[place]?.focus();
      this.highlight(this.#highlighted);
      this.#showTooltip(this.#stopInFocus);
    } finally {
      this.#restoringFocus = false;
    }
  }

  /** Reads and checks the attributes. @param {Explanation} explanation @returns {Look} */
  look(explanation) {
    const { observedAttributes } = /** @type {typeof LinexElement} */ (this.constructor);
    /** @type {Record<string, any>} */
    const given = { palette: PALETTES[0], theme: 'auto' };
    for (const name of observedAttributes) {
      const value = this.getAttribute(name);
      if (value !== null) given[name] = NUMBERS.includes(name) ? Number(value) : value;
    }
    checkChoice(given.palette, 'palette', PALETTES);
    checkChoice(given.theme, 'theme', THEMES);
    const [labels, answerFormat] = [this.#labels, this.#answerFormat];
    const reading = new Reading(explanation, { ...given, fullWeight: given['full-weight'], labels, answerFormat });
    return /** @type {Look} */ ({ ...given, reading });
  }

  /**
   * Returns the main part of the figure.
   *
   * @abstract
   * @param {any} _explanation
   * @param {Look} _look
   * @returns {string}  HTML with all text escaped
   */
  stage(_explanation, _look) {
    return '';
  }

  /** Adds to the figure what HTML cannot express. @param {any} _explanation @param {Look} _look */
  finish(_explanation, _look) {}

  /**
   * Lays out the figure for export.
   *
   * @abstract
   * @param {any} _explanation
   * @param {Look} _look
   * @returns {Drawing}
   */
  drawing(_explanation, _look) {
    return /** @type {any} */ (null);
  }

  /** Returns the legend as HTML. @param {Look} look */
  legend({ reading, palette }) {
    const width = Math.min(340, this.drawingWidth - 42);
    const { items, height } = layoutLegend(reading, { x: 0, y: 0, width, measure: canvasMeasure() });
    const drawing = { width, height: Math.ceil(height), title: reading.labels.legend, items };
    return `<div part="legend">${svgOf(drawing, { palette, theme: 'light', interactive: true })}</div>`;
  }

  /**
   * Returns the contents of an SVG file, in the theme that the reader sees.
   *
   * @returns {string}  empty if there is no explanation
   */
  toSVG() {
    const explanation = this.#explanation;
    if (!explanation) return '';
    const look = this.look(explanation);
    return svgOf(this.drawing(explanation, look), this.#drawnIn(look));
  }

  /**
   * Returns a PNG file, in the theme that the reader sees. Works under any content security policy.
   *
   * @param {{ pixelRatio?: number }} [options]  pixelRatio: file pixels per CSS pixel, above 0 and at most 16; default
   *   2, for `<linex-image>` 1
   * @returns {Promise<Blob>}
   * @throws {TypeError | RangeError}  rejects if there is no explanation or `pixelRatio` is out of range
   */
  async toPNG({ pixelRatio = this.pixelRatio } = {}) {
    const explanation = this.#explanation;
    checkDrawable(explanation, 'toPNG');
    return pngOf(this.canvas(explanation, checkNumber(pixelRatio, 'pixelRatio', { above: 0, most: 16 })));
  }

  /** Paints the figure on a canvas. @param {any} explanation @param {number} pixelRatio @returns {HTMLCanvasElement} */
  canvas(explanation, pixelRatio) {
    const look = this.look(explanation);
    return paintDrawing(this.drawing(explanation, look), { ...this.#drawnIn(look), pixelRatio });
  }

  /**
   * Returns the palette and the theme that the reader sees.
   *
   * @param {Look} look
   * @returns {{ palette: Look['palette'], theme: 'light' | 'dark' }}
   */
  #drawnIn({ palette, theme }) {
    const figure = this.root.querySelector('figure');
    // The style sheet makes the caret white where the page is dark.
    const dark = theme === 'auto' ? figure && getComputedStyle(figure).caretColor === WHITE : theme === 'dark';
    return { palette, theme: dark ? 'dark' : 'light' };
  }

  /** The width to draw at, in pixels. */
  get drawingWidth() {
    return Math.max(240, this.clientWidth || 640);
  }

  get root() {
    return /** @type {ShadowRoot} */ (this.shadowRoot);
  }

  /** The parts that the keyboard reaches, in order. @returns {HTMLElement[]} */
  get stops() {
    return Array.from(this.root.querySelectorAll('[data-feature]'));
  }

  /** @param {PointerEvent} event @returns {HTMLElement | null}  the part under the pointer */
  stopUnder(event) {
    return /** @type {Element} */ (event.target).closest('[data-feature]');
  }

  /** Returns the explanation's feature with an index. @param {number | null} feature @returns {any} */
  featureAt(feature) {
    return this.#items.get(feature)?.feature;
  }

  /** Highlights a feature. @param {number | null} feature */
  highlight(feature) {
    for (const stop of this.stops) stop.classList.toggle('linex-lit', featureOf(stop) === feature);
  }

  /** The stop that has the focus, if one has it. */
  get #stopInFocus() {
    return /** @type {HTMLElement | null} */ (this.root.activeElement?.closest('[data-feature]') ?? null);
  }

  /** @param {PointerEvent} event */
  #onPointerMove(event) {
    // The tooltip stays while the pointer is on it, so that users of a magnifier can read it.
    if (/** @type {Element} */ (event.target).closest('#tip')) return;
    const stop = this.stopUnder(event) ?? this.#stopInFocus;
    if (featureOf(stop) !== this.#highlighted || !stop?.hasAttribute('aria-describedby')) this.#select(stop);
  }

  /** @param {HTMLElement} stop */
  #onFocusIn(stop) {
    if (this.#restoringFocus || !stop.matches('[data-feature]')) return;
    for (const other of this.stops) other.setAttribute('tabindex', other === stop ? '0' : '-1');
    this.#select(stop);
  }

  /** @param {KeyboardEvent} event */
  #onKeyDown(event) {
    const { stops } = this;
    const place = stops.indexOf(/** @type {HTMLElement} */ (event.target));
    // The technical details have keys of their own.
    if (place < 0) return;
    const forward = getComputedStyle(stops[place]).direction === 'rtl' ? -1 : 1;
    /** @type {Record<string, number>} */
    const moves = {
      ArrowLeft: -forward,
      ArrowRight: forward,
      ArrowUp: -1,
      ArrowDown: 1,
      Home: -Infinity,
      End: Infinity,
    };
    if (event.key === 'Escape') stops[place].blur();
    if (!Object.hasOwn(moves, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    stops[Math.max(0, Math.min(stops.length - 1, place + moves[event.key]))].focus();
  }

  /** Shows the feature that the user has reached, and tells the other elements. @param {HTMLElement | null} stop */
  #select(stop) {
    const feature = featureOf(stop);
    this.#showTooltip(stop);
    if (feature === this.#highlighted) return;
    this.#highlighted = feature;
    this.highlight(feature);
    /** @type {FeatureFocus} */
    const detail = { explanation: /** @type {Explanation} */ (this.#explanation), feature };
    this.dispatchEvent(new CustomEvent('feature-focus', { bubbles: true, composed: true, detail }));
  }

  /** Highlights the feature that the user has reached in another element. @param {Event} event */
  #follow = (event) => {
    const { detail } = /** @type {CustomEvent<FeatureFocus>} */ (event);
    if (event.composedPath()[0] === this || detail?.explanation !== this.#explanation) return;
    this.#showTooltip(null);
    this.#highlighted = detail.feature;
    this.highlight(detail.feature);
  };

  /** Shows the tooltip beside a stop, or hides it if there is none. @param {HTMLElement | null} stop */
  #showTooltip(stop) {
    const tip = /** @type {HTMLElement | null} */ (this.root.querySelector('#tip'));
    const item = this.#items.get(featureOf(stop));
    this.root.querySelector('[aria-describedby]')?.removeAttribute('aria-describedby');
    if (tip) tip.hidden = !item;
    if (!tip || !stop || !item || !this.#reading) return;
    tip.textContent = this.#reading.describe(item).join('\n');
    stop.setAttribute('aria-describedby', 'tip');
    place(tip, stop.getClientRects()[0]);
  }
}

/** Returns the index of a stop's feature. @param {HTMLElement | null} stop */
export function featureOf(stop) {
  return stop ? Number(stop.dataset.feature) : null;
}

/**
 * Places the tooltip below a box, or above it if there is no space below, and keeps it within the sides of the figure.
 *
 * @param {HTMLElement} tip
 * @param {DOMRect} beside
 */
function place(tip, { left, top, bottom }) {
  const frame = /** @type {HTMLElement} */ (tip.parentElement).getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tip;
  const above = bottom + height + 8 > innerHeight && top > height + 8;
  tip.style.left = `${Math.max(0, Math.min(left - frame.left, frame.width - width - 8))}px`;
  tip.style.top = `${(above ? top - height - 8 : bottom + 8) - frame.top}px`;
}
