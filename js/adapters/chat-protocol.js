// Asks a language model behind an OpenAI-compatible endpoint which label fits a text.
import { show } from '../core/errors.js';
import { isTexts } from './model-batches.js';

/** How many likely tokens are asked for: as many as chats allow, and as completions allow. */
const [CHAT_TOKENS, COMPLETION_TOKENS] = [20, 5];
/** Long enough for any label, if the server gives no probabilities. */
const ANSWER_TOKENS = 16;

/**
 * The protocol of a chat or a completion. The score of a label is its probability among the labels, from the log-probabilities
 * of the first token. If the server gives none, it is 1 for the label that it answers and 0 for the others.
 *
 * @param {import('./from-http.js').HTTPOptions} options  with labels and a model
 * @param {boolean} chat  one question per request
 * @returns {import('./from-http.js').Protocol}
 */
export function chatProtocol({ labels = [], model, prompt, body = {} }, chat) {
  const ask =
    prompt ??
    ((/** @type {string} */ text) =>
      `Which label fits the text? Answer with one of: ${labels.join(', ')}.\n\nText: ${text}\n\nLabel:`);
  const settings = { model, temperature: 0, max_tokens: ANSWER_TOKENS, ...body };
  return {
    request(batch) {
      if (!isTexts(batch)) throw new TypeError(`a chat or completion takes texts, not ${show(batch)}`);
      if (!chat) return { logprobs: COMPLETION_TOKENS, ...settings, prompt: batch.map((text) => ask(text)) };
      const question = ask(batch[0]);
      const messages = typeof question === 'string' ? [{ role: 'user', content: question }] : question;
      return { logprobs: true, top_logprobs: CHAT_TOKENS, ...settings, messages };
    },
    response({ choices } = {}, size) {
      if (!Array.isArray(choices) || choices.length !== size)
        throw new TypeError(`the answer must have ${size} choices, not ${show(choices)}`);
      const sorted = [...choices].sort((a, b) => (a.index ?? 0) - (b.index ?? 0));
      return sorted.map((choice) => scoresOf(choice, labels));
    },
  };
}

/** @param {string} text */
const plainWord = (text) => text.trim().toLowerCase();

/**
 * @param {any} choice
 * @param {readonly string[]} labels
 * @returns {number[]}  one per label; they sum to 1
 */
function scoresOf({ logprobs, message, text }, labels) {
  const first = logprobs?.content?.[0]?.top_logprobs ?? Object.entries(logprobs?.top_logprobs?.[0] ?? {});
  const tokens = Array.from(first, (one) => (Array.isArray(one) ? one : [one.token, one.logprob]));
  const names = labels.map(plainWord);
  const sums = names.map(() => 0);
  for (const [token, logprob] of tokens) {
    const start = plainWord(token);
    const fitting = names.flatMap((name, i) => (start && name.startsWith(start) ? [i] : []));
    // A token that may begin several labels tells nothing about which.
    if (fitting.length === 1) sums[fitting[0]] += Math.exp(logprob);
  }
  const total = sums.reduce((a, b) => a + b, 0);
  if (total > 0) return sums.map((sum) => sum / total);
  const said = plainWord(String(message?.content ?? text ?? '')).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  const found = names.map((name) => said === name || said.startsWith(`${name} `) || said.startsWith(`${name}\n`));
  if (found.filter(Boolean).length === 1) return found.map(Number);
  throw new RangeError(`the answer ${show(String(message?.content ?? text))} is none of ${labels.join(', ')}`);
}
