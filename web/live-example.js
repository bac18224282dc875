// The live picture of the first screen: one review, explained again and again by LINEX and by LIME.
import { changesSign } from './change-of-weights.js';
import { button, element } from './make-element.js';
import { defaultsOf, LIME_AS_IT_IS, optionsOf } from './page-state.js';

/** How often the page asks by itself. */
const RUNS = 5;
/** Milliseconds that a run stays on the screen while the page plays them. */
const PAUSE = 1100;
const METHODS = [
  ['linex', 'LINEX', {}],
  ['lime', 'LIME', LIME_AS_IT_IS],
];
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * A review whose words are colored by two methods. Each run asks the model anew; words whose direction changes are marked.
 */
export class LiveExample {
  #client;
  #box;
  #views = {};
  /** The weights of each run, by method. @type {Record<string, number[][]>} */
  #weights = { linex: [], lime: [] };
  #shown = 0;
  #target;
  #asking = false;

  /** @param {HTMLElement} box @param {import('./worker-client.js').WorkerClient} client */
  constructor(box, client) {
    this.#box = box;
    this.#client = client;
    this.state = defaultsOf('words');
    this.answer = element('p', { class: 'answer' }, 'Asking the model …');
    this.count = element('p', { class: 'count', role: 'status' });
    this.againButton = button('Ask again', () => this.again(), 'primary');
    this.againButton.disabled = true;
    this.key = element('p', { class: 'key' });
    const card = ([key, name]) => {
      const words = element('p', { class: 'review', lang: 'en' }, this.state.text);
      const verdict = element('p', { class: 'verdict' });
      this.#views[key] = { words, verdict, spans: [] };
      return element('div', { class: `run ${key}` }, element('h2', {}, name), words, verdict);
    };
    box.replaceChildren(
      this.answer,
      ...METHODS.map(card),
      this.key,
      element('div', { class: 'row' }, this.againButton, this.count),
    );
  }

  /** Explains the review once, then again and again. Resolves after the first time. */
  async start() {
    await this.#ask(0);
    this.#play();
  }

  async #play() {
    for (let run = 1; run < RUNS; run++) {
      if (!isStill()) await wait(PAUSE);
      await this.#ask(run);
    }
    this.againButton.disabled = false;
  }

  /** Asks once more, with new random changes of the text. */
  async again() {
    if (this.#asking) return;
    await this.#ask(this.#shown);
  }

  /** Runs both methods with a seed, and shows the result. */
  async #ask(seed) {
    this.#asking = true;
    const { tab, model, text } = this.state;
    const options = { ...optionsOf(this.state), ...(this.#target && { target: this.#target }) };
    const variants = Object.fromEntries(METHODS.map(([key, , variant]) => [key, variant]));
    const request = { tab, model, input: { text }, options, variants, repeats: [{ label: '', options: { seed } }] };
    const found = {};
    const onProgress = ({ run }) => (found[run.key] = run.explanation);
    try {
      await this.#client.call('repeat', request, { onProgress }).result;
      this.#show(found);
    } catch (error) {
      this.answer.textContent = `The model could not be asked: ${error.message}`;
    } finally {
      this.#asking = false;
    }
  }

  #show(found) {
    const { target, prediction } = found.linex;
    this.#target ??= target;
    this.#shown++;
    const percent = Math.round(100 * prediction);
    this.answer.textContent = `A model calls this film review ${percent}% ${target}. Why?`;
    this.key.replaceChildren(
      element('span', { class: 'swatch up' }, `for ${target}`),
      element('span', { class: 'swatch down' }, `against ${target}`),
    );
    const largest = Math.max(...Object.values(found).flatMap(({ weights }) => weights.map(Math.abs))) || 1;
    for (const [key, name] of METHODS) this.#paint(key, name, found[key], largest);
    const times = this.#shown === 1 ? 'once' : `${this.#shown} times`;
    this.count.textContent = `Asked ${times}, ${found.linex.queries.planned} questions per method each time.`;
    this.#box.dataset.runs = String(this.#shown);
    if (this.#shown === 1) performance.mark('first-explanation');
  }

  /** Colors the words of a method, and marks those whose direction has changed so far. */
  #paint(key, name, explanation, largest) {
    const view = this.#views[key];
    this.#weights[key].push([...explanation.weights]);
    if (view.spans.length === 0) view.spans = this.#split(view.words, explanation);
    const runs = this.#weights[key];
    for (const { span, feature } of view.spans) {
      const weight = explanation.weights[feature];
      const strength = Math.max(1, Math.ceil((4 * Math.abs(weight)) / largest));
      const tone = weight > 0 ? `up-${strength}` : weight < 0 ? `down-${strength}` : '';
      span.className = `word ${tone}${changesSign(runs, feature) ? ' changed' : ''}`;
    }
    const changed = explanation.weights.filter((_, feature) => changesSign(runs, feature)).length;
    const many = changed === 1 ? '1 word has' : `${changed || 'no'} words have`;
    view.verdict.textContent =
      runs.length < 2 ? '' : `${many.replace(/^no/, 'No')} changed sides${changed > 0 ? ' (underlined)' : ''}.`;
    view.verdict.dataset.changed = String(changed);
  }

  /** Splits the text into words that can be colored. */
  #split(words, { text, tokens }) {
    const spans = [];
    let at = 0;
    words.replaceChildren();
    for (const { start, end, feature } of tokens) {
      const span = element('span', { class: 'word' }, text.slice(start, end));
      words.append(text.slice(at, start), span);
      spans.push({ span, feature });
      at = end;
    }
    words.append(text.slice(at));
    return spans;
  }
}
