import { measureHere, paintDrawing, pngOf } from './canvas.js';
import { svgOf } from './drawing.js';
import { checkChoice, checkNames, checkNumber } from './options.js';
import { PALETTES, PLAIN_ROLES, THEMES } from './palette.js';
import { headHTML, tableHTML } from './render-html.js';
import { renderStyles } from './styles.js';
import { checkExplanation, detailsOf, escape, fullWeight, numbersFor, titleOf } from './wording.js';

/**
 * @typedef {import('./wording.js').Explanation} Explanation
 * @typedef {import('./drawing.js').Drawing} Drawing
 *
 * @typedef {object} Look  what the attributes ask for
 * @property {import('./palette.js').Palette} palette
 * @property {import('./palette.js').Theme} theme
 * @property {number | undefined} scale
 * @property {number} full  the weight that gets full colour
 *
 * @typedef {{ explanation: Explanation, feature: number | null }} FeatureFocus  the detail of a `feature-focus` event
 */

const RULES = `
:host{display:block}
:host([hidden]){display:none}
.linex-stage [data-feature]{outline:none}
.linex-stage .linex-word.linex-now{outline:2px solid var(--ink);outline-offset:1px}
.linex svg{display:block;max-width:100%}
.linex svg path,.linex svg text{fill:var(--step)}
${PLAIN_ROLES.map((role) => `.linex-${role}{--step:var(--${role})}`).join('')}
.linex svg .linex-hit{fill:none;pointer-events:all}
.linex svg .linex-now .linex-hit{fill:var(--soft);stroke:var(--ink)}
.linex-frame{position:relative}
.linex-frame canvas{display:block;width:100%;height:auto;border-radius:6px}
.linex-frame svg{position:absolute;inset:0;width:100%;height:100%;pointer-events:none;overflow:visible}
.linex-frame svg path{fill:none;stroke:#fff;stroke-width:5;vector-effect:non-scaling-stroke;stroke-linecap:square}
.linex-frame svg path+path{stroke:#0d1117;stroke-width:2}
.linex-spot{position:absolute;opacity:0;pointer-events:none;border:0;padding:0}
.linex-tip{position:absolute;z-index:1;width:max-content;max-width:min(320px,calc(100% - 16px));padding:8px 12px;border-radius:8px;background:var(--ink);color:var(--ground);font-size:13px;font-variant-numeric:tabular-nums;white-space:normal;border:1px solid var(--ground)}
.linex-tip[hidden]{display:none}
.linex-tip b,.linex-tip span{display:block;unicode-bidi:isolate}
@media print{.linex-tip{display:none}}
@media (forced-colors:active){.linex svg [class*=linex-p]{fill:CanvasText}.linex svg [class*=linex-n]{fill:Canvas;stroke:CanvasText}.linex svg .linex-ground{fill:Canvas}.linex svg :is(.linex-ink,.linex-line,.linex-muted){fill:CanvasText}.linex svg .linex-now{fill:inherit;stroke:none}.linex svg .linex-now .linex-hit{fill:none;stroke:Highlight;stroke-width:2}}
`;

const sheet = new CSSStyleSheet();
sheet.replaceSync(renderStyles() + RULES);

/**
 * What the three elements share: an explanation to show, features that are reached by pointer and keyboard, a tooltip,
 * a table for screen readers, and the highlight that follows the other elements of the same explanation.
 *
 * @abstract
 */
export class LinexElement extends HTMLElement {
  static observedAttributes = ['palette', 'scale', 'theme'];
  /** The kind of explanation that it shows; undefined: any. @type {'text' | 'image' | undefined} */
  static kind = undefined;
  /** Properties that a page may have set before the element was defined. */
  static properties = ['explanation'];

  /** @type {Explanation | null} */
  #explanation = null;
  /** The feature that is highlighted. @type {number | null} */
  #now = null;
  /** True while focus is put back, which is not the user's doing. */
  #quiet = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    root.addEventListener('pointermove', (event) => this.#point(/** @type {PointerEvent} */ (event)));
    this.addEventListener('pointerleave', () => this.#say(this.#stopInFocus()));
    root.addEventListener('click', (event) => this.#stopAt(/** @type {PointerEvent} */ (event))?.focus());
    root.addEventListener('focusin', (event) => this.#arrive(/** @type {HTMLElement} */ (event.target)));
    root.addEventListener('focusout', (event) => {
      const { relatedTarget } = /** @type {FocusEvent} */ (event);
      if (!this.#quiet && !root.contains(/** @type {Node | null} */ (relatedTarget))) this.#say(null);
    });
    root.addEventListener('keydown', (event) => this.#press(/** @type {KeyboardEvent} */ (event)));
  }

  /** What is shown; null shows nothing. @returns {Explanation | null} */
  get explanation() {
    return this.#explanation;
  }

  /** @throws {TypeError}  for what is not an explanation of the element's kind */
  set explanation(value) {
    const { kind } = /** @type {typeof LinexElement} */ (this.constructor);
    if (value !== null) checkExplanation(value, `<${this.localName}>`, kind);
    this.#explanation = value;
    this.#now = null;
    this.draw();
  }

  connectedCallback() {
    const { properties } = /** @type {typeof LinexElement} */ (this.constructor);
    for (const name of properties) {
      if (!Object.hasOwn(this, name)) continue;
      const early = /** @type {any} */ (this)[name];
      delete (/** @type {any} */ (this)[name]);
      /** @type {any} */ (this)[name] = early;
    }
    this.ownerDocument.addEventListener('feature-focus', this.#follow);
    this.draw();
  }

  disconnectedCallback() {
    this.ownerDocument.removeEventListener('feature-focus', this.#follow);
  }

  attributeChangedCallback() {
    this.draw();
  }

  /** Everything anew, the focus where it was. */
  draw() {
    const root = this.root;
    const explanation = this.#explanation;
    if (!explanation || !this.isConnected) {
      root.replaceChildren();
      return;
    }
    const look = this.look(explanation);
    const focused = /** @type {HTMLElement | null} */ (root.activeElement);
    const place = focused ? this.stops.indexOf(focused) : -1;
    this.#quiet = true;
    root.innerHTML =
      `<figure class="linex linex-${look.palette} linex-${look.theme}" part="figure">${headHTML(explanation)}` +
      `<div class="linex-stage" part="stage" role="group" aria-label="${escape(titleOf(explanation))}">` +
      `${this.stage(explanation, look)}</div>${tableHTML(explanation, look.full)}` +
      '<div class="linex-tip" id="tip" part="tooltip" role="tooltip" hidden></div></figure>';
    this.finish(explanation, look);
    const { stops } = this;
    (stops[place] ?? stops[0])?.setAttribute('tabindex', '0');
    stops[place]?.focus();
    this.#quiet = false;
    this.highlight(this.#now);
  }

  /** @param {Explanation} explanation @returns {Look} */
  look(explanation) {
    const palette = /** @type {Look['palette']} */ (this.getAttribute('palette') ?? 'red-blue');
    const theme = /** @type {Look['theme']} */ (this.getAttribute('theme') ?? 'auto');
    checkChoice(palette, 'palette', PALETTES);
    checkChoice(theme, 'theme', THEMES);
    const scale = this.numberOf('scale');
    return { palette, theme, scale, full: fullWeight(explanation, scale) };
  }

  /** @param {string} attribute @returns {number | undefined} */
  numberOf(attribute) {
    const value = this.getAttribute(attribute);
    return value === null ? undefined : Number(value);
  }

  /** @abstract @param {Explanation} _explanation @param {Look} _look @returns {string}  HTML, all text in it escaped */
  stage(_explanation, _look) {
    return '';
  }

  /** What HTML alone cannot say. @param {Explanation} _explanation @param {Look} _look */
  finish(_explanation, _look) {}

  /** @abstract @param {Explanation} _explanation @param {Look} _look @returns {Drawing} */
  drawing(_explanation, _look) {
    throw new TypeError(`<${this.localName}> has no drawing`);
  }

  /**
   * The picture as the contents of an SVG file; an empty string where there is no explanation.
   *
   * @returns {string}
   */
  toSVG() {
    const explanation = this.#explanation;
    if (!explanation) return '';
    const look = this.look(explanation);
    return svgOf(this.drawing(explanation, look), look);
  }

  /**
   * The picture as a PNG file, in the theme that the reader sees. Needs nothing of the page's content security policy.
   *
   * @param {{ scale?: number }} [options]  scale: pixels of the file a pixel of the picture; default 2
   * @returns {Promise<Blob>}
   */
  async toPNG(options = {}) {
    const { scale = 2 } = checkNames(options, ['scale'], 'toPNG');
    const explanation = this.#explanation;
    if (!explanation) throw new TypeError(`<${this.localName}> has no explanation to make a PNG of`);
    return pngOf(this.pixels(explanation, checkNumber(scale, 'scale', { above: 0, most: 16 })));
  }

  /** @param {Explanation} explanation @param {number} scale @returns {HTMLCanvasElement} */
  pixels(explanation, scale) {
    const { palette, theme, ...look } = this.look(explanation);
    const dark = theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
    const drawing = this.drawing(explanation, { palette, theme, ...look });
    return paintDrawing(drawing, { palette, theme: dark ? 'dark' : 'light', scale });
  }

  /** How wide a picture of it should be. */
  get pictureWidth() {
    return Math.max(240, Math.round(this.clientWidth) || 640);
  }

  get measure() {
    return measureHere();
  }

  get root() {
    return /** @type {ShadowRoot} */ (this.shadowRoot);
  }

  /** What the keyboard reaches, in its order. @returns {HTMLElement[]} */
  get stops() {
    return [...this.root.querySelectorAll('[data-feature]')].map((one) => /** @type {HTMLElement} */ (one));
  }

  /** @param {PointerEvent} event @returns {HTMLElement | null}  the stop under the pointer */
  stopUnder(event) {
    return /** @type {Element} */ (event.target).closest('[data-feature]');
  }

  /** Shows which feature is meant. @param {number | null} feature */
  highlight(feature) {
    for (const stop of this.stops) stop.classList.toggle('linex-now', feature !== null && featureOf(stop) === feature);
  }

  /** @param {PointerEvent} event */
  #stopAt(event) {
    return this.#explanation ? this.stopUnder(event) : null;
  }

  #stopInFocus() {
    const active = /** @type {HTMLElement | null} */ (this.root.activeElement);
    return active?.dataset.feature === undefined ? null : active;
  }

  /** @param {PointerEvent} event */
  #point(event) {
    // The tooltip stays while the pointer is on it, so that it can be read with a magnifier.
    if (/** @type {Element} */ (event.target).closest('.linex-tip')) return;
    const stop = this.#stopAt(event) ?? this.#stopInFocus();
    if (featureOf(stop) !== this.#now || (stop && !stop.hasAttribute('aria-describedby'))) this.#say(stop);
  }

  /** @param {HTMLElement} stop */
  #arrive(stop) {
    if (this.#quiet || stop.dataset.feature === undefined) return;
    for (const other of this.stops) other.setAttribute('tabindex', other === stop ? '0' : '-1');
    this.#say(stop);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { stops } = this;
    const place = stops.indexOf(/** @type {HTMLElement} */ (event.target));
    if (place < 0) return;
    if (event.key === 'Escape') {
      stops[place].blur();
      return;
    }
    const leftwards = getComputedStyle(stops[place]).direction === 'rtl' ? 1 : -1;
    const moves = /** @type {Record<string, number>} */ ({
      ...{ ArrowLeft: place + leftwards, ArrowRight: place - leftwards, ArrowUp: place - 1, ArrowDown: place + 1 },
      ...{ Home: 0, End: stops.length - 1 },
    });
    if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    stops[Math.max(0, Math.min(stops.length - 1, moves[event.key]))].focus();
  }

  /** What the user has come to: shown here, and told to the others. @param {HTMLElement | null} stop */
  #say(stop) {
    const feature = featureOf(stop);
    this.#explain(stop);
    if (feature === this.#now) return;
    this.#now = feature;
    this.highlight(feature);
    /** @type {FeatureFocus} */
    const detail = { explanation: /** @type {Explanation} */ (this.#explanation), feature };
    this.dispatchEvent(new CustomEvent('feature-focus', { bubbles: true, composed: true, detail }));
  }

  /** What the user has come to in another element. @param {Event} event */
  #follow = (event) => {
    const { detail, target } = /** @type {CustomEvent<FeatureFocus>} */ (event);
    if (target === this || event.composedPath()[0] === this || !this.#explanation) return;
    if (detail?.explanation !== this.#explanation) return;
    this.#explain(null);
    this.#now = detail.feature;
    this.highlight(detail.feature);
  };

  /** Puts the tooltip beside a stop, or away. @param {HTMLElement | null} stop */
  #explain(stop) {
    const explanation = this.#explanation;
    const tip = /** @type {HTMLElement | null} */ (this.root.querySelector('.linex-tip'));
    if (!tip || !explanation) return;
    this.root.querySelector('[aria-describedby]')?.removeAttribute('aria-describedby');
    const feature = explanation.features.find(({ index }) => index === featureOf(stop));
    tip.hidden = !stop || !feature;
    if (!stop || !feature) return;
    const { full } = this.look(explanation);
    const { label, weight, effect, interval, agreement } = detailsOf(feature, explanation, numbersFor(full));
    const lines = [
      `${weight}, ${effect}`,
      interval && `likely ${interval}`,
      agreement && `sign agreement ${agreement}`,
    ];
    const said = lines.filter(Boolean).map((line) => `<span>${escape(line)}</span>`);
    tip.innerHTML = `<b>${escape(label)}</b>${said.join('')}`;
    stop.setAttribute('aria-describedby', 'tip');
    place(tip, stop.getClientRects()[0] ?? stop.getBoundingClientRect());
  }
}

/** @param {HTMLElement | null} stop */
function featureOf(stop) {
  return stop ? Number(stop.dataset.feature) : null;
}

/**
 * Below, or above where the window ends; never beyond the figure's sides.
 *
 * @param {HTMLElement} tip
 * @param {DOMRect} beside
 */
function place(tip, beside) {
  const figure = /** @type {HTMLElement} */ (tip.offsetParent ?? tip.parentElement);
  const frame = figure.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tip;
  const left = Math.max(8, Math.min(beside.left - frame.left, frame.width - width - 8));
  const above = beside.bottom + height + 8 > innerHeight && beside.top > height + 8;
  const top = above ? beside.top - height - 8 : beside.bottom + 8;
  tip.style.left = `${left - figure.clientLeft}px`;
  tip.style.top = `${top - frame.top - figure.clientTop}px`;
}
