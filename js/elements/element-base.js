import { measureHere, paintDrawing, pngOf } from './canvas.js';
import { svgOf } from '../render/drawing.js';
import { checkChoice, checkNumber } from '../core/check-options.js';
import { PALETTES, PLAIN_ROLES, THEMES } from '../render/palette.js';
import { layoutLegend } from '../render/layout-text.js';
import { tableHTML } from '../render/render-html.js';
import { stylesFor } from '../render/styles.js';
import { checkExplanation, detailsOf, fullWeightOf, numbersFor } from '../render/wording.js';

/**
 * @typedef {import('../render/wording.js').Explanation} Explanation
 * @typedef {import('../render/drawing.js').Drawing} Drawing
 *
 * @typedef {object} Look  what the attributes ask for
 * @property {import('../render/palette.js').Palette} palette
 * @property {import('../render/palette.js').Theme} theme
 * @property {number} [fullWeight]
 * @property {'heatmap' | 'outlines'} [mode]
 * @property {number} [opacity]
 * @property {'both' | 'positive' | 'negative'} [sign]
 * @property {number} full  the weight that gets full color
 *
 * @typedef {{ explanation: Explanation, feature: number | null }} FeatureFocus  the detail of a `feature-focus` event
 */

const NUMBERS = ['full-weight', 'opacity'];

// A photograph is painted in the colors of the light scale whatever the theme, and so is the legend below it.
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
 * What the three elements share: an explanation to show, features that are reached by pointer and keyboard, a tooltip,
 * a table for screen readers, and the highlight that follows the other elements of the same explanation.
 *
 * @abstract
 */
export class LinexElement extends HTMLElement {
  static observedAttributes = ['palette', 'full-weight', 'theme'];
  /** The kind of explanation that it shows; undefined: any. @type {'text' | 'image' | undefined} */
  static kind;

  /** How many pixels of a PNG file a pixel of the picture has, unless told otherwise. */
  fine = 2;
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
    /** @type {Record<string, (event: any) => void>} */
    const handlers = {
      pointermove: (event) => this.#point(event),
      click: (event) => this.stopUnder(event)?.focus(),
      focusin: ({ target }) => this.#arrive(target),
      focusout: ({ relatedTarget }) => !this.#quiet && !root.contains(relatedTarget) && this.#say(null),
      keydown: (event) => this.#press(event),
    };
    for (const [type, handler] of Object.entries(handlers)) root.addEventListener(type, handler);
    this.addEventListener('pointerleave', () => this.#say(this.#stopInFocus));
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
    // What a page has set before the element was defined.
    const own = /** @type {Record<string, any>} */ (this);
    for (const name of ['image', 'explanation'].filter((one) => Object.hasOwn(this, one))) {
      const early = own[name];
      delete own[name];
      own[name] = early;
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

  /** Everything anew, the focus where it was. */
  draw() {
    const { root } = this;
    const explanation = this.#explanation;
    const place = this.stops.indexOf(/** @type {HTMLElement} */ (this.#stopInFocus));
    this.#quiet = true;
    try {
      root.replaceChildren();
      if (!explanation || !this.isConnected) return;
      const look = this.look(explanation);
      root.innerHTML =
        `<figure class="linex linex-${look.palette} linex-${look.theme}" part="figure">` +
        `<div part="stage">${this.stage(explanation, look)}</div>${tableHTML(explanation, look.full)}` +
        '<div id="tip" part="tooltip" role="tooltip" hidden></div></figure>';
      this.finish(explanation);
      const { stops } = this;
      (stops[place] ?? stops[0])?.setAttribute('tabindex', '0');
      stops[place]?.focus();
      this.highlight(this.#now);
      this.#explain(this.#stopInFocus);
    } finally {
      this.#quiet = false;
    }
  }

  /** @param {Explanation} explanation @returns {Look} */
  look(explanation) {
    const { observedAttributes } = /** @type {typeof LinexElement} */ (this.constructor);
    /** @type {Record<string, any>} */
    const given = { palette: 'red-blue', theme: 'auto' };
    for (const name of observedAttributes) {
      const value = this.getAttribute(name);
      if (value !== null) given[name] = NUMBERS.includes(name) ? Number(value) : value;
    }
    checkChoice(given.palette, 'palette', PALETTES);
    checkChoice(given.theme, 'theme', THEMES);
    const fullWeight = given['full-weight'];
    return /** @type {Look} */ ({ ...given, fullWeight, full: fullWeightOf(explanation, fullWeight) });
  }

  /**
   * @abstract
   * @param {any} _explanation
   * @param {Look} _look
   * @returns {string}  HTML, all text in it escaped
   */
  stage(_explanation, _look) {
    return '';
  }

  /** What HTML alone cannot say. @param {any} _explanation */
  finish(_explanation) {}

  /**
   * @abstract
   * @param {any} _explanation
   * @param {Look} _look
   * @returns {Drawing}
   */
  drawing(_explanation, _look) {
    return /** @type {any} */ (null);
  }

  /** @param {Explanation} explanation @param {Look} look */
  legend(explanation, { palette, full }) {
    const width = Math.min(340, this.pictureWidth - 42);
    const { items, height } = layoutLegend(explanation, full, { x: 0, y: 0, width, measure: measureHere() });
    const svg = svgOf({ width, height, title: 'Legend', items }, { palette, theme: 'light', live: true });
    return `<div part="legend">${svg}</div>`;
  }

  /**
   * The picture as the contents of an SVG file, in the theme that the reader sees.
   *
   * @returns {string}  empty where there is no explanation
   */
  toSVG() {
    const explanation = this.#explanation;
    if (!explanation) return '';
    const look = this.look(explanation);
    return svgOf(this.drawing(explanation, look), this.#seen(look));
  }

  /**
   * The same as a PNG file. Needs nothing of the page's content security policy.
   *
   * @param {{ pixelRatio?: number }} [options]  pixelRatio: pixels of the file a pixel of the picture; default 2, of an image 1
   * @returns {Promise<Blob>}
   * @throws {TypeError | RangeError}  rejects where there is no explanation, and for a pixelRatio that is not a number to 16
   */
  async toPNG({ pixelRatio = this.fine } = {}) {
    const explanation = this.#explanation;
    checkExplanation(explanation, 'toPNG');
    return pngOf(this.pixels(explanation, checkNumber(pixelRatio, 'pixelRatio', { above: 0, most: 16 })));
  }

  /** @param {any} explanation @param {number} pixelRatio @returns {HTMLCanvasElement} */
  pixels(explanation, pixelRatio) {
    const look = this.look(explanation);
    return paintDrawing(this.drawing(explanation, look), { ...this.#seen(look), pixelRatio });
  }

  /** @param {Look} look @returns {{ palette: Look['palette'], theme: 'light' | 'dark' }} */
  #seen({ palette, theme }) {
    const dark = theme === 'auto' ? matchMedia('(prefers-color-scheme:dark)').matches : theme === 'dark';
    return { palette, theme: dark ? 'dark' : 'light' };
  }

  /** How wide a picture of it should be. */
  get pictureWidth() {
    return Math.max(240, this.clientWidth || 640);
  }

  get root() {
    return /** @type {ShadowRoot} */ (this.shadowRoot);
  }

  /** What the keyboard reaches, in its order. @returns {HTMLElement[]} */
  get stops() {
    return Array.from(this.root.querySelectorAll('[data-feature]'));
  }

  /** @param {PointerEvent} event @returns {HTMLElement | null}  the stop under the pointer */
  stopUnder(event) {
    return /** @type {Element} */ (event.target).closest('[data-feature]');
  }

  /** Shows which feature is meant. @param {number | null} feature */
  highlight(feature) {
    for (const stop of this.stops) stop.classList.toggle('linex-lit', featureOf(stop) === feature);
  }

  /** Nothing else in here takes the focus. */
  get #stopInFocus() {
    return /** @type {HTMLElement | null} */ (this.root.activeElement);
  }

  /** @param {PointerEvent} event */
  #point(event) {
    // The tooltip stays while the pointer is on it, so that it can be read with a magnifier.
    if (/** @type {Element} */ (event.target).closest('#tip')) return;
    const stop = this.stopUnder(event) ?? this.#stopInFocus;
    if (featureOf(stop) !== this.#now || !stop?.hasAttribute('aria-describedby')) this.#say(stop);
  }

  /** @param {HTMLElement} stop */
  #arrive(stop) {
    if (this.#quiet) return;
    for (const other of this.stops) other.setAttribute('tabindex', other === stop ? '0' : '-1');
    this.#say(stop);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { stops } = this;
    const place = stops.indexOf(/** @type {HTMLElement} */ (event.target));
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
    if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    stops[Math.max(0, Math.min(stops.length - 1, place + moves[event.key]))].focus();
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
    const { detail } = /** @type {CustomEvent<FeatureFocus>} */ (event);
    if (event.composedPath()[0] === this || detail?.explanation !== this.#explanation) return;
    this.#explain(null);
    this.#now = detail.feature;
    this.highlight(detail.feature);
  };

  /** Puts the tooltip beside a stop, or away. @param {HTMLElement | null} stop */
  #explain(stop) {
    const explanation = this.#explanation;
    const tip = /** @type {HTMLElement | null} */ (this.root.querySelector('#tip'));
    const feature = explanation?.features.find(({ index }) => index === featureOf(stop));
    this.root.querySelector('[aria-describedby]')?.removeAttribute('aria-describedby');
    if (tip) tip.hidden = !feature;
    if (!tip || !stop || !explanation || !feature) return;
    const { full } = this.look(explanation);
    const [label, weight, effect, ...more] = detailsOf(feature, explanation, numbersFor(full));
    tip.textContent = [label, `${weight}, ${effect}`, ...more].join('\n');
    stop.setAttribute('aria-describedby', 'tip');
    place(tip, stop.getClientRects()[0]);
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
function place(tip, { left, top, bottom }) {
  const frame = /** @type {HTMLElement} */ (tip.parentElement).getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tip;
  const above = bottom + height + 8 > innerHeight && top > height + 8;
  tip.style.left = `${Math.max(0, Math.min(left - frame.left, frame.width - width - 8))}px`;
  tip.style.top = `${(above ? top - height - 8 : bottom + 8) - frame.top}px`;
}
