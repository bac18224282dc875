import '../js/elements.js';
import { settingsForm } from './demo-controls.js';
import { element } from './demo-dom.js';
import { hashOf, optionsOf } from './demo-state.js';
import { downloads } from './downloads.js';
import { gameView } from './game-view.js';
import { steadinessView } from './steadiness.js';

/** Typing pauses for so long before a new explanation is asked for, milliseconds. */
const PAUSE = 350;

/** Lets the page breathe: a click, a key, a frame. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * What the tabs have in common: an input on the left, LINEX beside LIME on the right, and under them the questions of
 * how steady they are and how the game went. A tab adds its input.
 */
export class DemoTab {
  /** The element that draws the input with its explanation; undefined: bars alone. @type {string | undefined} */
  picture;
  /** What the second button asks again about. */
  again = 'Ask again with five seeds';
  #call;
  #timer;
  #result;
  #sharpening = false;

  /**
   * @param {Record<string, any>} state
   * @param {{ client: import('./demo-client.js').DemoClient, say: (words: string) => void, theme: () => string }} page
   */
  constructor(state, page) {
    this.state = state;
    this.page = page;
  }

  /** Whether the model is so quick that the second question is asked at once. */
  get quick() {
    return false;
  }

  /** The controls of the input. @returns {Node[]} */
  inputs() {
    return [];
  }

  /** What the worker gets as the input. */
  input() {
    return {};
  }

  /** What the worker gets for each run of the second button. @returns {{ label: string, input?: object, options?: object }[]} */
  changes() {
    return [1, 2, 3, 4, 5].map((seed) => ({
      label: `seed ${this.state.seed + seed}`,
      options: { seed: this.state.seed + seed },
    }));
  }

  /** The line of code that asks, for the snippet. @returns {string} */
  call() {
    return '';
  }

  /** Before the first explanation. @returns {Promise<void>} */
  async prepare() {}

  /** What the picture element needs beside the explanation. */
  dress() {}

  /** @returns {Node} */
  build() {
    const card = (key, title, hint) => {
      const picture = this.picture && element(this.picture, { part: key, 'data-of': key });
      const weights = element('linex-bars', { 'data-of': key });
      const bars = this.picture ? element('details', {}, element('summary', {}, 'All weights'), weights) : weights;
      return element(
        'section',
        { class: `card ${key}`, 'aria-label': title },
        element('h2', {}, title),
        element('p', { class: 'hint' }, hint),
        picture,
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
    this.steady = element('div', { class: this.quick ? 'steady soon' : 'steady' });
    this.game = element('div', { class: 'game' });
    this.againButton = element('button', { type: 'button', disabled: true, click: () => this.runAgain() }, this.again);
    this.cards = element(
      'div',
      { class: 'cards' },
      card('linex', 'LINEX', 'Two re-samples of the answers argue until nobody wants to move.'),
      card('lime', 'LIME', 'One line through the same answers.'),
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
        downloads({
          picture: () => this.cards.querySelector('[data-of="linex"]'),
          explanation: () => this.#result?.linex ?? null,
          code: () => this.code(),
          link: () => new URL(hashOf(this.state), location.href).href,
          say: (words) => this.say(words),
        }),
        element(
          'section',
          { class: 'card wide' },
          element('h2', {}, 'Does it hold still?'),
          element(
            'p',
            { class: 'hint' },
            'The same question again, with fresh answers that both methods share. Only LINEX is silenced here; silenced the same way, LIME’s signs hold about as still. The settings switch to the paper’s single game.',
          ),
          this.againButton,
          this.steady,
        ),
        element(
          'section',
          { class: 'card wide' },
          element('h2', {}, 'The game'),
          element(
            'p',
            { class: 'hint' },
            'Each player adds to a shared weight what suits its own samples, at most γ. Where nobody wants to move, the weight is read off.',
          ),
          this.game,
        ),
      ),
    );
  }

  /** @param {string} words */
  say(words) {
    this.status.textContent = words;
  }

  /**
   * @param {Record<string, any>} settings
   * @param {number} [pause]
   */
  change(settings, pause = 0) {
    Object.assign(this.state, settings);
    history.replaceState(null, '', hashOf(this.state));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.explain(), pause);
  }

  /** @param {Record<string, any>} settings */
  typed(settings) {
    this.change(settings, PAUSE);
  }

  cancel() {
    this.#call?.cancel();
  }

  /** Ends what is under way: another tab is shown. */
  close() {
    clearTimeout(this.#timer);
    this.cancel();
  }

  request() {
    const { tab, model } = this.state;
    return { tab, model, input: this.input(), options: optionsOf(this.state) };
  }

  /**
   * Draws an explanation, one element a turn: together they would hold up the page.
   *
   * @param {string} key
   * @param {any} explanation
   * @param {number} [fullWeight]
   */
  async show(key, explanation, fullWeight) {
    for (const one of this.cards.querySelectorAll(`[data-of="${key}"]`)) {
      await turn();
      const draw = () => {
        one.setAttribute('theme', this.page.theme());
        if (fullWeight) one.setAttribute('full-weight', String(fullWeight));
        else one.removeAttribute('full-weight');
        this.dress(one);
        one.explanation = explanation;
      };
      const fold = one.closest('details');
      // What is folded away is drawn when it is opened.
      if (!fold || fold.open) draw();
      else fold.ontoggle = () => fold.open && draw();
    }
  }

  /** @param {string} task @param {object} request @param {(progress: any) => void} onProgress */
  async work(task, request, onProgress) {
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
        this.say(error.name === 'AbortError' ? 'Canceled.' : `It did not work: ${error.message}`);
      return undefined;
    } finally {
      if (call === this.#call) {
        this.#call = undefined;
        this.cancelButton.hidden = true;
        this.bar.value = 0;
      }
    }
  }

  async explain() {
    this.steady.replaceChildren();
    this.againButton.disabled = true;
    this.say('Asking the model …');
    const result = await this.work('explain', this.request(), ({ asked, planned, phase, partial }) => {
      this.bar.value = asked / planned;
      this.say(
        phase === 'load'
          ? `The model is loading: ${Math.round(100 * asked)} %`
          : `${asked} of ${planned} questions answered`,
      );
      if (partial) this.#sharpen(partial);
    });
    if (!result) return;
    this.#result = result;
    const { linex, lime, watched } = result;
    const largest = Math.max(...[...linex.weights, ...lime.weights].map(Math.abs)) || 1;
    await this.show('linex', linex, largest);
    await this.show('lime', lime, largest);
    this.#name();
    await turn();
    this.game.replaceChildren(gameView(linex, watched));
    this.againButton.disabled = false;
    const { model, own } = linex.milliseconds;
    this.say(`${linex.queries.asked} questions; the model took ${Math.round(model)} ms, linex ${Math.round(own)} ms.`);
    document.body.dataset.explained = String(Number(document.body.dataset.explained ?? 0) + 1);
    if (this.quick) await this.runAgain();
  }

  /** The picture while the model is still being asked; not faster than it can be drawn. */
  async #sharpen(partial) {
    if (this.#sharpening) return;
    this.#sharpening = true;
    const first = this.cards.querySelector('[data-of="linex"]');
    await turn();
    // The last word may have been spoken meanwhile.
    if (this.#call) {
      first.setAttribute('theme', this.page.theme());
      this.dress(first);
      first.explanation = partial;
    }
    this.#sharpening = false;
  }

  /** What the first card shows, in words. */
  #name() {
    const { method, steady } = this.state;
    const [title, hint] = this.cards.querySelectorAll('.linex > h2, .linex > .hint');
    title.textContent = method === 'linex' ? 'LINEX' : 'Smoothed LIME';
    hint.textContent = steady
      ? 'Thirty games on halves of the answers; what they dispute stays silent.'
      : 'Two re-samples of the answers argue until nobody wants to move.';
  }

  async runAgain() {
    this.againButton.disabled = true;
    const { options, ...request } = this.request();
    // The same class in every run, whichever is on top there.
    const about = { ...options, ...(this.#result?.linex.target !== null && { target: this.#result?.linex.target }) };
    const result = await this.work(
      'again',
      { ...request, options: about, changes: this.changes() },
      ({ asked, planned }) => {
        this.bar.value = asked / planned;
        this.say(`Run ${asked} of ${planned} done`);
      },
    );
    this.againButton.disabled = false;
    if (!result) return;
    this.steady.replaceChildren(steadinessView(result.runs));
    this.say(`Asked ${result.runs.length} times; each time LINEX and LIME got the same answers.`);
  }

  /** What reproduces what is shown. */
  code() {
    const options = JSON.stringify(optionsOf(this.state), null, 2);
    return `import { ${this.call().split('(')[0]} } from 'linex';\n\n// predict is your model; here it is the page's “${this.state.model}”.\nconst options = ${options};\nconst explanation = await ${this.call()};\nconst lime = await ${this.call().replace('options', "{ ...options, method: 'lime' }")};\n`;
  }
}
