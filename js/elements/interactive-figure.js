// The base class of all elements: focus, keys, tooltips, links between elements, and export.
import { checkChoice, checkNumber } from '../core/check-options.js';
import { svgOf } from '../render/drawing.js';
import { PALETTES, PLAIN_ROLES, THEMES } from '../render/palette.js';
import { stylesFor } from '../render/styles.js';
import { addSheet, sheetOf } from './style-sheet.js';

/**
 * @typedef {import('../render/wording.js').Explanation} Explanation
 * @typedef {import('../render/drawing.js').Drawing} Drawing
 *
 * @typedef {object} FigureLook  the attributes that all elements share
 * @property {import('../render/palette.js').Palette} palette
 * @property {import('../render/palette.js').Theme} theme
 * @property {string} [locale]
 *
 * @typedef {object} FeatureFocus  the detail of a `feature-focus` event
 * @property {Explanation | null} explanation  that is shown; null for a chart of several
 * @property {readonly any[]} explanations  all that are shown
 * @property {number | null} feature  its index; null when the reader leaves
 * @property {string | null} name  of the feature
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

const sheet = sheetOf(() => stylesFor(PALETTES, THEMES) + RULES);

/**
 * The class that elements extend. Without a DOM, such as in Node, modules with elements can be imported, but no element can
 * be made.
 *
 * @type {typeof HTMLElement}
 */
const Element = globalThis.HTMLElement ?? class {};

/**
 * The base class of all elements. It shows something whose parts can be reached by pointer and keyboard, a tooltip for each
 * part, and highlights the feature that the user points at in any element that shows the same explanation.
 *
 * A part is called a stop. It has a key: a number in its attribute `data-feature`.
 *
 * @abstract
 */
export class LinexFigure extends Element {
  static observedAttributes = ['palette', 'theme', 'locale'];
  /** Properties that a page may have set before the element was defined, in the order in which they are needed. */
  static properties = ['labels', 'answerFormat'];

  /** The default `pixelRatio` of `toPNG`. */
  pixelRatio = 2;
  /** What is shown. @type {any} */
  #subject = null;
  /** @type {Record<string, string>} */
  #labels = {};
  /** @type {import('../data/table.js').NumberFormat | undefined} */
  #answerFormat;
  /** The key of the highlighted stop. @type {number | null} */
  #highlighted = null;
  /** True while `draw` restores the focus: the user did not move it, so there is no event. */
  #restoringFocus = false;
  /** The width of the last drawing that fills the element. */
  #drawnWidth = 0;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    addSheet(root, sheet);
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

  /** Draws again whenever the width changes. */
  redrawOnResize() {
    // Drawing changes the height. Without the timeout the browser would report a resize loop.
    const redraw = () => this.#drawnWidth !== this.drawingWidth && this.draw();
    // jsdom has no layout, so nothing is resized there.
    if (typeof ResizeObserver === 'function') new ResizeObserver(() => setTimeout(redraw)).observe(this);
  }

  /** What is shown; null for nothing. @returns {any} */
  get subject() {
    return this.#subject;
  }

  /** Shows something else; null shows nothing. */
  set subject(value) {
    this.#subject = value;
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
    // A property that was set before the element was defined hides the setter until it is deleted.
    const element = /** @type {Record<string, any>} */ (this);
    for (const name of /** @type {typeof LinexFigure} */ (this.constructor).properties) {
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

  /** @param {string} _name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(_name, before, after) {
    if (before !== after) this.draw();
  }

  /** Draws everything again and keeps the focus. */
  draw() {
    const { root } = this;
    const subject = this.#subject;
    const place = this.stops.indexOf(/** @type {HTMLElement} */ (this.#stopInFocus));
    const { open = false } = root.querySelector('details') ?? {};
    const onDetails = root.activeElement?.localName === 'summary';
    this.#restoringFocus = true;
    this.#drawnWidth = this.drawingWidth;
    try {
      root.replaceChildren();
      if (subject === null || !this.isConnected) return;
      const look = this.look(subject);
      root.innerHTML =
        `<figure class="linex linex-${look.palette} linex-${look.theme}" part="figure">` +
        `${this.contents(subject, look, open)}<div id="tip" part="tooltip" role="tooltip" hidden></div></figure>`;
      this.finish(subject, look);
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

  /** Reads and checks the attributes. @param {any} _subject @returns {any} */
  look(_subject) {
    const { observedAttributes } = /** @type {typeof LinexFigure} */ (this.constructor);
    /** @type {Record<string, any>} */
    const given = { palette: PALETTES[0], theme: 'auto' };
    for (const name of observedAttributes) {
      const value = this.getAttribute(name);
      if (value !== null) given[name] = NUMBERS.includes(name) ? Number(value) : value;
    }
    checkChoice(given.palette, 'palette', PALETTES);
    checkChoice(given.theme, 'theme', THEMES);
    return given;
  }

  /**
   * Returns what is in the figure.
   *
   * @abstract
   * @param {any} _subject
   * @param {any} _look
   * @param {boolean} _open  whether details are open
   * @returns {string}  HTML with all text escaped
   */
  contents(_subject, _look, _open) {
    return '';
  }

  /** Adds to the figure what HTML cannot express. @param {any} _subject @param {any} _look */
  finish(_subject, _look) {}

  /**
   * Lays out the figure for export.
   *
   * @abstract
   * @param {any} _subject
   * @param {any} _look
   * @returns {Drawing}
   */
  drawing(_subject, _look) {
    return /** @type {any} */ (null);
  }

  /**
   * Returns the contents of an SVG file, in the theme that the reader sees.
   *
   * @returns {string}  empty if there is nothing to show
   */
  toSVG() {
    const subject = this.#subject;
    if (subject === null) return '';
    const look = this.look(subject);
    return svgOf(this.drawing(subject, look), this.#drawnIn(look));
  }

  /**
   * Returns a PNG file, in the theme that the reader sees. Works under any content security policy.
   *
   * @param {{ pixelRatio?: number }} [options]  pixelRatio: file pixels per CSS pixel, above 0 and at most 16; default
   *   2, for `<linex-image>` 1
   * @returns {Promise<Blob>}
   * @throws {TypeError | RangeError}  rejects if there is nothing to show or `pixelRatio` is out of range
   */
  async toPNG({ pixelRatio = this.pixelRatio } = {}) {
    if (this.#subject === null) throw new TypeError('toPNG needs an explanation, not null');
    checkNumber(pixelRatio, 'pixelRatio', { above: 0, most: 16 });
    const subject = this.#subject;
    const look = this.look(subject);
    const { paintDrawing, pngOf } = await import('./png-file.js');
    const paint = () => paintDrawing(this.drawing(subject, look), { ...this.#drawnIn(look), pixelRatio });
    return pngOf(this.painted(subject, pixelRatio) ?? paint());
  }

  /**
   * Paints what an element does not draw as SVG.
   *
   * @param {any} _subject
   * @param {number} _pixelRatio
   * @returns {HTMLCanvasElement | undefined}
   */
  painted(_subject, _pixelRatio) {
    return undefined;
  }

  /**
   * Returns the palette and the theme that the reader sees.
   *
   * @param {FigureLook} look
   * @returns {{ palette: FigureLook['palette'], theme: 'light' | 'dark' }}
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

  /** Highlights stops. @param {...(number | null)} keys  none, or null, for no stop */
  highlight(...keys) {
    for (const stop of this.stops) stop.classList.toggle('linex-lit', keys.includes(featureOf(stop)));
  }

  /**
   * Describes a stop for the tooltip.
   *
   * @abstract
   * @param {number | null} _key
   * @returns {string[] | undefined}  lines; undefined if there is nothing to say
   */
  describe(_key) {
    return undefined;
  }

  /**
   * Says which feature a stop is about, for the event.
   *
   * @abstract
   * @param {number | null} _key
   * @returns {FeatureFocus}
   */
  focusOn(_key) {
    return { explanation: null, explanations: [], feature: null, name: null };
  }

  /**
   * Returns the stops that are about the feature of another element's event.
   *
   * @abstract
   * @param {FeatureFocus} _focus
   * @returns {number[] | undefined}  undefined if the other element shows something else
   */
  stopsOn(_focus) {
    return undefined;
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

  /** Shows the stop that the user has reached, and tells the other elements. @param {HTMLElement | null} stop */
  #select(stop) {
    const key = featureOf(stop);
    this.#showTooltip(stop);
    if (key === this.#highlighted) return;
    this.#highlighted = key;
    this.highlight(key);
    const detail = this.focusOn(key);
    this.dispatchEvent(new CustomEvent('feature-focus', { bubbles: true, composed: true, detail }));
  }

  /** Highlights the feature that the user has reached in another element. @param {Event} event */
  #follow = (event) => {
    const { detail } = /** @type {CustomEvent<FeatureFocus>} */ (event);
    const keys =
      event.composedPath()[0] === this || !detail || this.#subject === null ? undefined : this.stopsOn(detail);
    if (!keys) return;
    this.#showTooltip(null);
    this.#highlighted = keys[0] ?? null;
    this.highlight(...keys);
  };

  /** Shows the tooltip beside a stop, or hides it if there is none. @param {HTMLElement | null} stop */
  #showTooltip(stop) {
    const tip = /** @type {HTMLElement | null} */ (this.root.querySelector('#tip'));
    const lines = stop ? this.describe(featureOf(stop)) : undefined;
    this.root.querySelector('[aria-describedby]')?.removeAttribute('aria-describedby');
    if (tip) tip.hidden = !lines;
    if (!tip || !stop || !lines) return;
    tip.textContent = lines.join('\n');
    stop.setAttribute('aria-describedby', 'tip');
    place(tip, stop.getClientRects()[0]);
  }
}

/** Returns the key of a stop. @param {HTMLElement | null} stop */
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
