// Draws an explanation in the way that the visitor chose, with elements that are loaded when they are needed.
import { element } from './make-element.js';

/** Loads the class of an element. */
const CLASSES = {
  'linex-text': async () => (await import('../js/elements/element-text.js')).LinexText,
  'linex-bars': async () => (await import('../js/elements/element-bars.js')).LinexBars,
  'linex-image': async () => (await import('../js/elements/element-image.js')).LinexImage,
  'linex-waterfall': async () => (await import('../js/elements/element-charts.js')).LinexWaterfall,
  'linex-targets': async () => (await import('../js/elements/element-charts.js')).LinexTargets,
  'linex-comparison': async () => (await import('../js/elements/element-charts.js')).LinexComparison,
};

/** Answers are probabilities, so they are written as percentages. */
const PERCENT = { style: 'percent', maximumFractionDigits: 1 };

/** Lets the page handle events and draw a frame. */
export const nextTask = () => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * Creates one of linex's elements, and loads its code on first use.
 *
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @returns {Promise<any>}
 */
export async function linexElement(name, attributes = {}) {
  const loaded = await CLASSES[name]();
  if (!customElements.get(name)) customElements.define(name, loaded);
  return Object.assign(element(name, attributes), { answerFormat: PERCENT });
}

/** Loads the code of an element ahead. @param {string} name */
export const loadElement = (name) => CLASSES[name]().catch(() => {});

/** Which element shows each kind of picture. */
const NAMES = {
  text: 'linex-text',
  image: 'linex-image',
  bars: 'linex-bars',
  waterfall: 'linex-waterfall',
  targets: 'linex-targets',
  other: 'linex-comparison',
};

/** Whether a picture can also show what would change the answer. @param {string} kind */
export const hasViews = (kind) => ['text', 'image', 'bars', 'beside'].includes(kind);

/** The place of the picture. It keeps its element while the kind of picture stays the same. */
export class PictureView {
  box = element('div', { class: 'picture' });
  #kind = '';
  #main = 'text';
  /** Counts the calls of `show`, so that a slow call can see that a newer one has replaced it. */
  #calls = 0;

  /**
   * @param {string} main  the tab's own kind of picture: 'text', 'image' or 'bars'
   * @param {{ theme: () => string, image: () => any }} page
   */
  constructor(main, page) {
    this.#main = main;
    this.page = page;
  }

  /** The first element that is shown, for export. */
  get first() {
    return this.box.querySelector('[data-picture]');
  }

  /**
   * Shows a picture. Each element is drawn in its own task, so that the page stays responsive. A call that comes later wins.
   *
   * @param {string} kind
   * @param {'why' | 'what-if'} view
   * @param {any} shown  the explanation; for 'beside' two with their names; for 'targets' several; for 'other' two
   */
  async show(kind, view, shown) {
    const call = ++this.#calls;
    const slots = kind === 'beside' ? shown.map(({ name }) => name) : [''];
    const name = NAMES[kind === 'beside' ? this.#main : kind];
    const wanted = `${kind} ${slots.join()}`;
    const views = this.#kind === wanted ? [...this.box.querySelectorAll('[data-picture]')] : [];
    while (views.length < slots.length) views.push(await linexElement(name, { 'data-picture': kind }));
    if (call !== this.#calls) return;
    if (kind === 'beside') {
      const most = Math.max(...shown.flatMap(({ explanation }) => sizesOf(explanation, view)), 1e-12);
      for (const one of views) one.setAttribute('full-weight', String(most));
    }
    for (const [i, one] of views.entries()) {
      await nextTask();
      if (call !== this.#calls) return;
      one.setAttribute('theme', this.page.theme());
      if (hasViews(kind)) one.setAttribute('view', view === 'why' ? 'contribution' : 'slope');
      await this.#fill(one, kind, kind === 'beside' ? shown[i].explanation : shown);
    }
    if (this.#kind === wanted || call !== this.#calls) return;
    this.#kind = wanted;
    this.box.className = `picture ${kind}`;
    this.box.replaceChildren(
      ...views.map((one, i) => (slots[i] ? element('div', {}, element('h3', {}, slots[i]), one) : one)),
    );
  }

  async #fill(view, kind, shown) {
    const image = this.page.image();
    // Setting it draws again.
    if ('image' in view && view.image !== image) view.image = image;
    if (kind === 'targets') view.explanations = shown;
    else if (kind === 'other') {
      const { compare } = await import('../js/measure/comparison.js');
      view.names = shown.names;
      view.comparison = compare(...shown.explanations);
    } else view.explanation = shown;
  }
}

/** The sizes of an explanation's effects. */
const sizesOf = ({ features }, view) =>
  features.map(({ contribution, weight }) => Math.abs(view === 'why' ? (contribution ?? weight) : weight));
