// The base of all tabs: an input, LINEX beside LIME, how stable both are, and the rounds of the game.
import '../js/elements.js';
import { downloadButtons } from './download-buttons.js';
import { gameView } from './game-view.js';
import { element } from './make-element.js';
import { hashOf, optionsOf } from './page-state.js';
import { settingsForm } from './settings-form.js';
import { stabilityView } from './stability-view.js';

/** A new explanation starts this many milliseconds after the last key press or stroke. */
const TYPING_PAUSE = 350;

/** Lets the page handle events and draw a frame. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve, 0));

/** What the first card says about the paper's single game. */
const PAPER_HINT = 'A game between two resamples of the answers.';

/** A tab of the page. Subclasses add the input. */
export class ExplanationTab {
  /** The custom element that shows the input with its explanation; undefined if bars are enough. @type {string | undefined} */
  viewName;
  /** The text of the button that repeats the explanation. */
  repeatLabel = 'Repeat with five seeds';
  #call;
  #timer;
  #result;
  #showingPartial = false;

  /**
   * @param {Record<string, any>} state
   * @param {{ client: import('./worker-client.js').WorkerClient, theme: () => string }} page
   */
  constructor(state, page) {
    this.state = state;
    this.page = page;
  }

  /** Whether the model is fast enough to repeat each explanation without being asked. */
  get repeatsAtOnce() {
    return false;
  }

  /** Creates the controls of the input. @returns {Node[]} */
  inputs() {
    return [];
  }

  /** Returns the input for the worker. */
  input() {
    return {};
  }

  /**
   * Returns what each repeated run changes.
   *
   * @returns {{ label: string, input?: object, options?: object }[]}
   */
  repeats() {
    return [1, 2, 3, 4, 5].map((seed) => ({
      label: `seed ${this.state.seed + seed}`,
      options: { seed: this.state.seed + seed },
    }));
  }

  /** Returns the call of linex, for the code snippet. @returns {string} */
  callCode() {
    return '';
  }

  /** Loads what the first explanation needs. @returns {Promise<void>} */
  async prepare() {}

  /** Sets what the view needs in addition to the explanation. @param {any} _view */
  prepareView(_view) {}

  /** @returns {Node} */
  build() {
    const card = (key, title, hint) => {
      const view = this.viewName && element(this.viewName, { part: key, 'data-of': key });
      const weights = element('linex-bars', { 'data-of': key });
      const bars = this.viewName ? element('details', {}, element('summary', {}, 'All weights'), weights) : weights;
      return element(
        'section',
        { class: `card ${key}`, 'aria-label': title },
        element('h2', {}, title),
        element('p', { class: 'hint' }, hint),
        view,
        bars,
      );
    };
    this.status = element('p', { class: 'status', role: 'status' });
    this.bar = element('progress', { max: 1, value: 0, 'aria-label': 'Queries answered' });
    this.cancelButton = element(
      'button',
      { type: 'button', class: 'quiet', hidden: true, click: () => this.cancel() },
      'Cancel',
    );
    this.stability = element('div', { class: this.repeatsAtOnce ? 'stability reserved' : 'stability' });
    this.game = element('div', { class: 'game' });
    this.repeatButton = element(
      'button',
      { type: 'button', disabled: true, click: () => this.repeat() },
      this.repeatLabel,
    );
    this.cards = element(
      'div',
      { class: 'cards' },
      card('linex', 'LINEX', PAPER_HINT),
      card('lime', 'LIME', 'One linear fit to the same answers.'),
    );
    const change = (settings) => this.change(settings);
    return element(
      'div',
      { class: 'tab' },
      element(
        'aside',
        {},
        ...this.inputs(),
        element('details', { class: 'more' }, element('summary', {}, 'Settings'), settingsForm(this.state, change)),
      ),
      element(
        'div',
        { class: 'results' },
        element('div', { class: 'work' }, this.status, this.bar, this.cancelButton),
        this.cards,
        downloadButtons({
          view: () => this.cards.querySelector('[data-of="linex"]'),
          explanation: () => this.#result?.linex ?? null,
          code: () => this.code(),
          link: () => new URL(hashOf(this.state), location.href).href,
          say: (message) => this.say(message),
        }),
        element(
          'section',
          { class: 'card wide' },
          element('h2', {}, 'Is it stable?'),
          element(
            'p',
            { class: 'hint' },
            'Each run gets new answers from the model, which both methods share. Only LINEX silences disputed features here; with the same rule, LIME’s signs are about as stable. The settings offer the paper’s single game.',
          ),
          this.repeatButton,
          this.stability,
        ),
        element(
          'section',
          { class: 'card wide' },
          element('h2', {}, 'The game'),
          element(
            'p',
            { class: 'hint' },
            'Each player adds to a shared weight what fits its own samples best, between −γ and γ. When no player wants to change its part, the sum of the parts is the weight.',
          ),
          this.game,
        ),
      ),
    );
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
    history.replaceState(null, '', hashOf(this.state));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.explain(), pause);
  }

  /** Changes settings while the visitor types or draws. @param {Record<string, any>} settings */
  changeSoon(settings) {
    this.change(settings, TYPING_PAUSE);
  }

  cancel() {
    this.#call?.cancel();
  }

  /** Stops the current work, because another tab opens. */
  close() {
    clearTimeout(this.#timer);
    this.cancel();
  }

  request() {
    const { tab, model } = this.state;
    return { tab, model, input: this.input(), options: optionsOf(this.state) };
  }

  /**
   * Shows an explanation. Each element is drawn in its own task, so that the page stays responsive.
   *
   * @param {string} key
   * @param {any} explanation
   * @param {number} [fullWeight]
   */
  async show(key, explanation, fullWeight) {
    for (const view of this.cards.querySelectorAll(`[data-of="${key}"]`)) {
      await nextTask();
      const draw = () => {
        view.setAttribute('theme', this.page.theme());
        if (fullWeight) view.setAttribute('full-weight', String(fullWeight));
        else view.removeAttribute('full-weight');
        this.prepareView(view);
        view.explanation = explanation;
      };
      const details = view.closest('details');
      // Closed details are drawn when they open.
      if (!details || details.open) draw();
      else details.ontoggle = () => details.open && draw();
    }
  }

  /**
   * Runs a task in the worker, instead of the current one.
   *
   * @param {string} task
   * @param {object} request
   * @param {(progress: any) => void} onProgress
   * @returns {Promise<any>}  undefined if the task failed, was canceled or was replaced
   */
  async runTask(task, request, onProgress) {
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
        this.cancelButton.hidden = true;
        this.bar.value = 0;
      }
    }
  }

  /** Explains the current input with both methods. */
  async explain() {
    this.stability.replaceChildren();
    this.repeatButton.disabled = true;
    this.say('Asking the model …');
    const result = await this.runTask('explain', this.request(), ({ asked, planned, phase, partial }) => {
      this.bar.value = asked / planned;
      this.say(
        phase === 'load'
          ? `Loading the model: ${Math.round(100 * asked)} %`
          : `${asked} of ${planned} queries answered`,
      );
      if (partial) this.#showPartial(partial);
    });
    if (!result) return;
    this.#result = result;
    const { linex, lime, gameTrace } = result;
    const sizes = [linex, lime].flatMap(({ features }) => features.map(({ contribution }) => Math.abs(contribution)));
    const largest = Math.max(0, ...sizes) || 1;
    await this.show('linex', linex, largest);
    await this.show('lime', lime, largest);
    this.#updateTitle();
    await nextTask();
    this.game.replaceChildren(gameView(linex, gameTrace));
    this.repeatButton.disabled = false;
    const { model, own } = linex.milliseconds;
    this.say(`${linex.queries.asked} queries. The model took ${Math.round(model)} ms, linex ${Math.round(own)} ms.`);
    document.body.dataset.explained = String(Number(document.body.dataset.explained ?? 0) + 1);
    if (this.repeatsAtOnce) await this.repeat();
  }

  /** Shows a partial explanation, unless the last one is still being drawn. */
  async #showPartial(partial) {
    if (this.#showingPartial) return;
    this.#showingPartial = true;
    const view = this.cards.querySelector('[data-of="linex"]');
    await nextTask();
    // The task may have ended in the meantime.
    if (this.#call) {
      view.setAttribute('theme', this.page.theme());
      this.prepareView(view);
      view.explanation = partial;
    }
    this.#showingPartial = false;
  }

  /** Sets the title and the hint of the first card. */
  #updateTitle() {
    const { method, steady } = this.state;
    const [title, hint] = this.cards.querySelectorAll('.linex > h2, .linex > .hint');
    title.textContent = method === 'linex' ? 'LINEX' : 'Smoothed LIME';
    hint.textContent = steady ? 'Sixty games. Features that are not sure get weight 0.' : PAPER_HINT;
  }

  /** Repeats the explanation with other seeds or inputs, and shows how stable it is. */
  async repeat() {
    this.repeatButton.disabled = true;
    const { options, ...request } = this.request();
    // Explain the same class in every run, even if another one is on top there.
    const sameTarget = {
      ...options,
      ...(this.#result?.linex.target !== null && { target: this.#result?.linex.target }),
    };
    const result = await this.runTask(
      'repeat',
      { ...request, options: sameTarget, repeats: this.repeats() },
      ({ asked, planned }) => {
        this.bar.value = asked / planned;
        this.say(`${asked} of ${planned} runs done`);
      },
    );
    this.repeatButton.disabled = false;
    if (!result) return;
    this.stability.replaceChildren(stabilityView(result.runs));
    this.say(`${result.runs.length} runs. In each run, LINEX and LIME used the same answers.`);
  }

  /** Returns code that computes the explanations on the page. */
  code() {
    const options = JSON.stringify(optionsOf(this.state), null, 2);
    return `import { ${this.callCode().split('(')[0]} } from 'linex';\n\n// predict is your model; this page uses “${this.state.model}”.\nconst options = ${options};\nconst explanation = await ${this.callCode()};\nconst lime = await ${this.callCode().replace('options', "{ ...options, method: 'lime' }")};\n`;
  }
}
