// The base of all tabs: an input, the picture that explains it, how steady it is, and the technical view.
import { downloadButtons } from './download-buttons.js';
import { button, choiceRow, element } from './make-element.js';
import { hashOf, LIME_WITH_OUR_SAMPLES, optionsOf, PICTURES } from './page-state.js';
import { hasViews, loadElement, nextTask, PictureView } from './picture-view.js';
import { settingsSentence } from './settings-sentence.js';
import { SteadinessSection } from './steadiness-section.js';
import { TechnicalView } from './technical-view.js';

/** A new explanation starts this many milliseconds after the last key press or stroke. */
const TYPING_PAUSE = 350;
/** The most classes of one picture. */
const MOST_TARGETS = 3;
/** The methods that can be shown beside LIME, from the same answers. */
const IS_OURS = ['linex', 's-lime'];
const VIEWS = [['why', 'Why?'], ['what-if', 'What if?']]; // prettier-ignore

/** Writes milliseconds for people. @param {number} milliseconds */
const durationOf = (milliseconds) =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} seconds`;

/** Says how the first example was chosen. */
const openingRule = () =>
  element(
    'details',
    { class: 'rule' },
    element('summary', {}, 'Why this example?'),
    element(
      'p',
      { class: 'hint' },
      'The page opens on the first example of a fixed list whose explanation covers at least half of what the model does near it, has two sure reasons, and has no warning. It was not chosen by comparing methods; a test checks the rule.',
    ),
  );

/** A tab of the page. Subclasses add the input. */
export class ExplanationTab {
  /** The tab's own kind of picture. @type {'text' | 'image' | 'bars'} */
  picture = 'bars';
  /** What the section about steadiness says and does. */
  steadiness = {
    repeats: {
      title: 'Five runs, reason by reason',
      hint: 'Each column is a run: + for the answer, − against it, · not sure and left out.',
    },
    things: 'Reasons',
    variants: ['linex', 'lime', 'ours'],
    curve: true,
    atOnce: () => false,
  };
  /** The explanation that is shown. @type {any} */
  explanation;
  #id;
  #call;
  #timer;
  #showingPartial = false;
  /** Whether an explanation is under way; what is drawn then belongs to the one before. */
  #explaining = false;

  /**
   * @param {Record<string, any>} state
   * @param {{ client: import('./worker-client.js').WorkerClient, theme: () => string }} page
   */
  constructor(state, page) {
    this.state = state;
    this.page = page;
  }

  /** Creates the controls of the input. @returns {Node[]} */
  inputs() {
    return [];
  }

  /** Returns the input for the worker. */
  input() {
    return {};
  }

  /** Returns another input that the current one is compared with, and what both are called. */
  otherInput() {
    return { input: {}, names: ['', ''] };
  }

  /** Creates the control that chooses the other input. @returns {Node | null} */
  otherChoice() {
    return null;
  }

  /** The image that is explained, if there is one. @returns {any} */
  get image() {
    return undefined;
  }

  /**
   * Returns what each repeated run changes.
   *
   * @returns {{ label: string, input?: object, options?: object }[]}
   */
  repeats() {
    return [1, 2, 3, 4, 5].map((seed) => ({
      label: `run ${seed}`,
      options: { seed: this.state.seed + seed },
    }));
  }

  /** Returns the call of linex, for the code snippet. @returns {string} */
  callCode() {
    return '';
  }

  /** Loads what the first explanation needs. @returns {Promise<void>} */
  async prepare() {}

  /** @returns {Node} */
  build() {
    const { state, page } = this;
    const theme = page.theme;
    this.view = new PictureView(this.picture, { theme, image: () => this.image });
    this.status = element('p', { class: 'status', role: 'status' });
    this.bar = element('progress', { max: 1, value: 0, 'aria-label': 'Questions answered' });
    this.cancelButton = button('Cancel', () => this.cancel());
    this.cancelButton.hidden = true;
    this.pictureRow = choiceRow('Picture', PICTURES[state.tab], state.show, (show) => this.#redraw({ show }));
    this.viewRow = choiceRow('Question', VIEWS, state.view, (view) => this.#redraw({ view }));
    this.choice = element('div', { class: 'other' });
    this.steady = new SteadinessSection(this, this.steadiness);
    this.technical = new TechnicalView(page.client);
    this.#offer();
    const change = (settings) => this.change(settings);
    return element(
      'div',
      { class: `tab ${state.tab}` },
      element(
        'div',
        { class: 'explained' },
        element('section', { class: 'input', 'aria-label': 'Input' }, ...this.inputs(), openingRule()),
        element(
          'section',
          { class: 'result', 'aria-label': 'Explanation' },
          element('div', { class: 'views' }, this.pictureRow, this.viewRow),
          this.choice,
          this.view.box,
          element('div', { class: 'work' }, this.bar, this.status, this.cancelButton),
          settingsSentence(state, change),
          this.#downloads(),
        ),
      ),
      this.steady.element,
      this.technical.element,
    );
  }

  #downloads() {
    return downloadButtons({
      view: () => this.view.first,
      explanation: () => this.explanation ?? null,
      code: () => this.code(),
      link: () => new URL(hashOf(this.state), location.href).href,
      say: (message) => this.say(message),
    });
  }

  /** Shows the choices that the current picture has. */
  #offer() {
    const { show, method } = this.state;
    const besides = [...this.pictureRow.children].at(PICTURES[this.state.tab].findIndex(([name]) => name === 'beside'));
    besides.hidden = !IS_OURS.includes(method);
    this.viewRow.hidden = !hasViews(show) || method === 'shap';
    const choice = show === 'other' ? this.otherChoice() : null;
    this.choice.replaceChildren(...(choice ? [choice] : []));
  }

  /** Shows a status message. @param {string} message */
  say(message) {
    this.status.textContent = message;
  }

  /**
   * Changes settings, and explains again.
   *
   * @param {Record<string, any>} settings
   * @param {number} [pause]  milliseconds to wait for further changes; default 0
   */
  change(settings, pause = 0) {
    Object.assign(this.state, settings);
    if (this.state.show === 'beside' && !IS_OURS.includes(this.state.method)) this.state.show = this.picture;
    this.pictureRow.press(this.state.show);
    this.#offer();
    history.replaceState(null, '', hashOf(this.state));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.explain(), pause);
  }

  /** Changes settings while the visitor types or draws. @param {Record<string, any>} settings */
  changeSoon(settings) {
    this.change(settings, TYPING_PAUSE);
  }

  /** Draws the same explanation in another way. */
  async #redraw(settings) {
    Object.assign(this.state, settings);
    history.replaceState(null, '', hashOf(this.state));
    this.#offer();
    if (this.explanation && !this.#explaining) await this.draw();
  }

  /** The visitor has chosen another input to compare with. @param {number} other */
  compareWith(other) {
    return this.#redraw({ other });
  }

  cancel() {
    this.#call?.cancel();
  }

  /** Stops the current work, because another tab opens. */
  close() {
    clearTimeout(this.#timer);
    this.cancel();
    this.steady.close();
  }

  /** The request for the worker. @param {Record<string, any>} [settings]  instead of the tab's own */
  request(settings = {}) {
    const { tab, model } = this.state;
    return { tab, model, input: this.input(), options: optionsOf({ ...this.state, ...settings }) };
  }

  /**
   * Runs a task in the worker, instead of the current one.
   *
   * @param {string} task
   * @param {object} request
   * @param {(progress: any) => void} [onProgress]
   * @returns {Promise<any>}  undefined if the task failed, was canceled or was replaced
   */
  async runTask(task, request, onProgress = () => {}) {
    this.cancel();
    const call = this.page.client.call(task, request, {
      onProgress: (progress) => call === this.#call && onProgress(progress),
    });
    this.#call = call;
    this.cancelButton.hidden = false;
    this.bar.value = 0;
    try {
      const result = await call.result;
      return call === this.#call ? result : undefined;
    } catch (error) {
      if (call === this.#call)
        this.say(error.name === 'AbortError' ? 'Canceled.' : `The explanation failed: ${error.message}`);
      return undefined;
    } finally {
      if (call === this.#call) {
        this.#call = undefined;
        this.#explaining = false;
        this.cancelButton.hidden = true;
        this.bar.value = 0;
      }
    }
  }

  /** Explains the current input. */
  async explain() {
    this.steady.reset();
    this.say('Asking the model …');
    loadElement(`linex-${this.picture}`);
    this.#explaining = true;
    const result = await this.runTask('explain', this.request(), ({ asked, planned, phase, partial }) => {
      this.bar.value = asked / planned;
      this.say(
        phase === 'load'
          ? `Loading the model: ${Math.round(100 * asked)}%`
          : `${asked} of ${planned} questions answered`,
      );
      if (partial) this.#showPartial(partial);
    });
    if (!result) return;
    this.explanation = result.explanation;
    this.#id = result.id;
    const { queries, milliseconds } = result.explanation;
    const { model, own } = milliseconds;
    if (!(await this.draw())) return;
    this.say(
      `${queries.asked} ${queries.asked === 1 ? 'question' : 'different questions'}. The model took ${durationOf(model)}, linex ${durationOf(own)}, on your machine.`,
    );
    document.body.dataset.explained = String(Number(document.body.dataset.explained ?? 0) + 1);
    await nextTask();
    this.technical.show(this.explanation, this.#id);
    this.steady.ready();
  }

  /** Draws the explanation in the chosen way. @returns {Promise<boolean>}  whether it is shown */
  async draw() {
    const { show, view } = this.state;
    const { explanation } = this;
    try {
      const shown = await this.#shownIn(show, explanation);
      // Another picture or explanation may have been chosen in the meantime.
      if (!shown || explanation !== this.explanation || show !== this.state.show) return false;
      await this.view.show(show, view, shown);
      return true;
    } catch (error) {
      this.say(`This picture cannot be drawn: ${error.message}`);
      return false;
    }
  }

  /** What a picture shows: the explanation, or several. */
  async #shownIn(show, explanation) {
    const target = explanation.target === null ? {} : { target: explanation.target };
    const request = this.request();
    const aimed = { ...request, options: { ...request.options, ...target }, answersOf: this.#id };
    if (show === 'beside') {
      const sampling = this.state.steady ? 'designed' : 'independent';
      const lime = { ...LIME_WITH_OUR_SAMPLES, sampling, adjust: 'none', environments: undefined, gamma: undefined };
      const other = await this.runTask('again', { ...aimed, options: { ...aimed.options, ...lime } });
      const name = this.state.method === 'linex' ? 'LINEX' : 'Smoothed LIME';
      return other && [{ name, explanation }, { name: 'LIME, from the same answers', explanation: other.explanation }]; // prettier-ignore
    }
    if (show === 'targets') return (await this.runTask('targets', { ...aimed, most: MOST_TARGETS }))?.explanations;
    if (show !== 'other') return explanation;
    const { input, names } = this.otherInput();
    const other = await this.runTask('again', { ...aimed, input, answersOf: -1 });
    return other && { names, explanations: [explanation, other.explanation] };
  }

  /** Shows a partial explanation, unless the last one is still being drawn or another picture is chosen. */
  async #showPartial(partial) {
    if (this.#showingPartial || this.state.show !== this.picture) return;
    this.#showingPartial = true;
    await nextTask();
    // The task may have ended in the meantime.
    if (this.#call) await this.view.show(this.picture, this.state.view, partial).catch(() => {});
    this.#showingPartial = false;
  }

  /** Returns code that computes the explanation on the page. */
  code() {
    const options = JSON.stringify(optionsOf(this.state), null, 2);
    const call = this.callCode();
    return `import { ${call.split('(')[0]} } from 'linex';\n\n// predict is your model; this page uses “${this.state.model}”.\nconst options = ${options};\nconst explanation = await ${call};\n`;
  }
}
