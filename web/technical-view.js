// The technical view of a tab: how well the explanation fits, what the game was, and the paper's measures.
import { gameView } from './game-view.js';
import { element } from './make-element.js';

const write = (value) => (Number.isInteger(value) ? String(value) : Number(value.toPrecision(3)).toString());

/** The facts about an explanation, as pairs of a term and what it is. */
function factsOf({ method, preset, fidelity, effectiveSamples, queries, equilibrium, adjusted, seed, milliseconds }) {
  const facts = [
    ['Method', [method.toUpperCase(), preset && `preset “${preset}”`].filter(Boolean).join(', ')],
    ['R² of the fit', write(fidelity)],
    ['Queries', `${queries.asked} asked, ${queries.planned} planned`],
    ['Effective samples', typeof effectiveSamples === 'number' ? String(Math.round(effectiveSamples)) : ''],
    ['Gamma', equilibrium ? write(equilibrium.gamma) : ''],
    ['Residual of the game', equilibrium ? equilibrium.residual.toExponential(1) : ''],
    ['Noise taken out', adjusted ? `${adjusted.kind}, gain ${write(adjusted.gain)}` : ''],
    ['Seed', String(seed)],
    ['Time', `${Math.round(milliseconds.model)} ms in the model, ${Math.round(milliseconds.own)} ms in linex`],
  ];
  return facts.filter(([, value]) => value);
}

/** The view, which asks for the game when it is opened. */
export class TechnicalView {
  #explanation;
  #gameOf;
  #shown;

  /** @param {import('./worker-client.js').WorkerClient} client */
  constructor(client) {
    this.client = client;
    this.facts = element('dl', { class: 'facts' });
    this.game = element('div', { class: 'game' });
    this.element = element(
      'details',
      { class: 'technical', toggle: () => this.#fill() },
      element('summary', {}, 'Technical view'),
      this.facts,
      element('h3', {}, 'The game behind LINEX'),
      element(
        'p',
        { class: 'hint' },
        'Each player adds to a shared weight what fits its own samples best, between −γ and γ. When no player wants to change its part, the sum of the parts is the weight.',
      ),
      this.game,
    );
  }

  /** @param {any} explanation @param {number} gameOf  the call whose game it is */
  show(explanation, gameOf) {
    [this.#explanation, this.#gameOf] = [explanation, gameOf];
    return this.#fill();
  }

  async #fill() {
    const explanation = this.#explanation;
    if (!explanation || !this.element.open || this.#shown === explanation) return;
    this.#shown = explanation;
    this.facts.replaceChildren(
      ...factsOf(explanation).flatMap(([term, value]) => [element('dt', {}, term), element('dd', {}, value)]),
    );
    const trace = await this.client.call('game', { gameOf: this.#gameOf }).result.catch(() => null);
    if (explanation === this.#explanation) this.game.replaceChildren(gameView(explanation, trace));
  }
}
