// The section that asks again: signs over several runs, and how the weights settle with more questions.
import { button, element } from './make-element.js';
import { LIME_AS_IT_IS, LIME_WITH_OUR_SAMPLES } from './page-state.js';
import { signTables } from './sign-tables.js';
import { steadinessCurve } from './steadiness-curve.js';

const SIZES = [50, 100, 200, 500, 1000];
const SEEDS = [1, 2, 3, 4, 5];
const LINES = [
  { key: 'linex', name: 'LINEX' },
  { key: 'lime', name: 'LIME as it is' },
  { key: 'ours', name: 'LIME with our samples' },
];
/** LIME plays no game. */
const NO_GAME = { environments: undefined, gamma: undefined };
const VARIANTS = {
  linex: {},
  lime: { ...LIME_AS_IT_IS, ...NO_GAME },
  ours: { ...LIME_WITH_OUR_SAMPLES, ...NO_GAME },
};

/** The section of a tab. It measures when it is scrolled to, or when its button is pressed. */
export class SteadinessSection {
  #tab;
  #call;
  #observer;
  /** Whether the current input has been measured. */
  #stale = true;
  #visible = false;
  #results;

  /**
   * @param {import('./explanation-tab.js').ExplanationTab} tab
   * @param {{ repeats: { title: string, hint: string }, things: string, variants: readonly string[], curve: boolean, atOnce: () => boolean }} about
   *   repeats: what the runs are; variants: the methods that are compared; curve: whether the model is fast enough for the
   *   curve; atOnce: whether it measures when it is scrolled to
   */
  constructor(tab, about) {
    this.#tab = tab;
    this.about = about;
    this.lines = LINES.filter(({ key }) => about.variants.includes(key));
    this.status = element('p', { class: 'status', role: 'status' });
    this.signs = element('div', { class: 'reserved' });
    this.curve = element('div');
    this.startButton = button(about.atOnce() ? 'Measure again' : 'Measure', () => this.measure(), 'primary');
    this.cancelButton = button('Cancel', () => this.cancel());
    this.cancelButton.hidden = true;
    this.element = this.#build();
    // Nothing is shown before a visitor asks for it, if the model is too slow to be asked without being told.
    this.#results.hidden = !about.atOnce();
    this.#observer = new IntersectionObserver(([entry]) => this.#seen(entry.isIntersecting), { rootMargin: '120px' });
    this.#observer.observe(this.element);
  }

  #build() {
    const { repeats, curve } = this.about;
    const part = (title, hint, ...content) =>
      element('div', { class: 'part' }, element('h3', {}, title), element('p', { class: 'hint' }, hint), ...content);
    return element(
      'section',
      { class: 'steady', id: 'steady', 'aria-labelledby': 'steady-title' },
      element('h2', { id: 'steady-title' }, 'Does it hold when you ask again?'),
      element(
        'p',
        { class: 'intro' },
        'A reason that changes sides from run to run is no reason. Try it: every run asks the model about other random changes of the input.',
      ),
      element('div', { class: 'row' }, this.startButton, this.cancelButton, this.status),
      (this.#results = element(
        'div',
        { class: 'parts' },
        part(repeats.title, repeats.hint, this.signs),
        curve &&
          part(
            'How soon do the reasons settle?',
            'Lower is steadier: how much the weights differ between two of five runs, as a share of their size.',
            this.curve,
          ),
      )),
      element(
        'p',
        { class: 'hint' },
        'LIME as it is draws its samples at random and leaves nothing out. With our samples, it is LIME’s own fit to evenly spread samples, and most of the difference is gone: much of the steadiness is in the samples. Only LINEX leaves out what is not sure.',
      ),
    );
  }

  #seen(visible) {
    this.#visible = visible;
    if (visible && this.#stale && this.about.atOnce() && this.#tab.explanation) this.measure();
  }

  /** The input has changed, so what is shown is no longer true. */
  reset() {
    this.cancel();
    this.#stale = true;
    this.signs.replaceChildren();
    this.curve.replaceChildren(...(this.about.curve ? [steadinessCurve(this.lines, [], SIZES)] : []));
    this.status.textContent = '';
  }

  /** There is a new explanation. */
  ready() {
    this.#seen(this.#visible);
  }

  cancel() {
    this.#call?.cancel();
  }

  close() {
    this.cancel();
    this.#observer.disconnect();
  }

  /** Repeats the explanation, and measures the curve. */
  async measure() {
    this.reset();
    this.#stale = false;
    this.#results.hidden = false;
    this.startButton.textContent = 'Measure again';
    this.startButton.disabled = true;
    this.cancelButton.hidden = false;
    try {
      await this.#repeat();
      if (this.about.curve) await this.#measureCurve();
      this.status.textContent = 'Done.';
    } catch (error) {
      this.status.textContent = error.name === 'AbortError' ? 'Canceled.' : `It failed: ${error.message}`;
    } finally {
      this.startButton.disabled = false;
      this.cancelButton.hidden = true;
    }
  }

  /** The request for all runs: LINEX's settings on the page, and the class that the page explains. */
  #request() {
    const request = this.#tab.request({ method: 'linex' });
    const { target } = this.#tab.explanation ?? { target: null };
    const variants = Object.fromEntries(this.lines.map(({ key }) => [key, VARIANTS[key]]));
    return { ...request, options: { ...request.options, ...(target !== null && { target }) }, variants };
  }

  /** @param {string} task @param {object} request @param {(progress: any) => void} onProgress */
  async #run(task, request, onProgress) {
    this.#call = this.#tab.page.client.call(task, request, { onProgress });
    await this.#call.result;
  }

  async #repeat() {
    const methods = this.lines.map((line) => ({ ...line, runs: [] }));
    // Without LIME as it is, all methods use the same samples.
    const share = !this.about.variants.includes('lime');
    const request = { ...this.#request(), repeats: this.#tab.repeats(), share };
    await this.#run('repeat', request, ({ asked, planned, run }) => {
      methods.find(({ key }) => key === run.key)?.runs.push(run);
      this.status.textContent = `Run ${asked} of ${planned} …`;
    });
    this.signs.replaceChildren(signTables(methods, this.about.things));
  }

  async #measureCurve() {
    const points = [];
    await this.#run('curve', { ...this.#request(), sizes: SIZES, seeds: SEEDS }, ({ asked, planned, point }) => {
      points.push(point);
      this.status.textContent = `Curve: ${asked} of ${planned} …`;
      this.curve.replaceChildren(steadinessCurve(this.lines, points, SIZES));
    });
  }
}
