// Makes a `predict` from a model behind HTTP.
import { checkChoice, checkFlag, checkNames } from '../core/check-options.js';
import { messageOf, show } from '../core/errors.js';
import { instances, plain } from './http-protocols.js';
import { makePredict, readLabels } from './model-batches.js';

/**
 * @typedef {object} HTTPOptions
 * @property {'open-inference' | 'instances' | 'chat' | 'completion' | 'plain'} [protocol]  default: by the end of the URL.
 *   `'open-inference'` is version 2 of the Open Inference Protocol (`/infer`); `'instances'` is KServe version 1 and
 *   TensorFlow Serving (`:predict`); `'chat'` and `'completion'` are OpenAI-compatible endpoints (`/chat/completions`,
 *   `/completions`); `'plain'`, for all other URLs, posts the samples as JSON and expects what a `predict` returns
 * @property {Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>)} [headers]  sent with
 *   each request, such as an authorization; or a function that returns them
 * @property {(batch: any) => any} [request]  your own protocol: makes the body, which is sent as JSON
 * @property {(json: any, size: number) => any} [response]  your own protocol: returns the scores of an answer
 * @property {'numbers' | 'values' | 'records'} [rows]  how rows are sent: as numbers (the default), with the levels spelled
 *   out, or as objects
 * @property {string} [input]  the name of the input, for `'open-inference'`; default: the server is asked
 * @property {string} [output]  the name of the output, if there are several
 * @property {boolean} [softmax]  whether the scores are logits, of which the softmax is taken; default false
 * @property {readonly string[]} [labels]  names of the scores, in their order; the labels that a chat answers with
 * @property {number} [batchSize]  samples per request; default: the whole batch, 1 for a chat
 * @property {string} [model]  the name of the model, which chats need; also its name for caches
 * @property {(text: string) => string | readonly object[]} [prompt]  for a chat or completion: the question about a text, or
 *   the messages; default: which of the labels fits the text
 * @property {object} [body]  for a chat or completion: further fields of the request
 * @property {Fetch} [fetch]  default the platform's
 */

/**
 * What is used of `fetch`. Its own type belongs to the DOM library, which not every program has.
 *
 * @typedef {(address: string, request: any) => Promise<any>} Fetch  resolves to a `Response`
 */

const OPTIONS = [
  ...['protocol', 'headers', 'request', 'response', 'rows', 'input', 'output', 'softmax', 'labels', 'batchSize'],
  ...['model', 'prompt', 'body', 'fetch'],
];

/**
 * How a model is asked over HTTP.
 *
 * @typedef {object} Protocol
 * @property {(batch: any, post: (address: string, body?: unknown) => Promise<any>) => Promise<any> | any} request  the body
 * @property {(json: any, size: number) => any} response  the scores
 */

/** Protocols that few models speak are loaded on demand. @type {Record<string, (options: any, url: string) => Protocol | Promise<Protocol>>} */
const PROTOCOLS = {
  'open-inference': async (options, url) => (await import('./open-inference.js')).openInference(options, url),
  instances,
  chat: async (options) => (await import('./chat-protocol.js')).chatProtocol(options, true),
  completion: async (options) => (await import('./chat-protocol.js')).chatProtocol(options, false),
  plain,
};

/** Which protocol an address has by its end. @param {string} path */
function protocolOf(path) {
  if (/\/v2\/models\/.+\/infer$/.test(path)) return 'open-inference';
  if (/:predict$/.test(path)) return 'instances';
  if (/\/chat\/completions$/.test(path)) return 'chat';
  return /\/completions$/.test(path) ? 'completion' : 'plain';
}

/**
 * Makes a `predict` from a model behind HTTP. A request that fails throws an error with the `status` of the answer and, if the
 * server says when to come back, `retryAfter` in milliseconds. It does not retry: wrap it in `polite`.
 *
 * @param {string | URL} url
 * @param {HTTPOptions} [options]
 * @returns {import('./model-batches.js').Ask & import('./model-batches.js').ModelFacts}  for rows, texts or images
 * @throws {TypeError | RangeError} if the address or an option cannot be used
 */
export function fromHTTP(url, options = {}) {
  const address = addressOf(url);
  checkNames(options, OPTIONS, 'fromHTTP');
  const { protocol = protocolOf(address.pathname), headers, softmax = false, request, response, model } = options;
  checkChoice(protocol, 'protocol', Object.keys(PROTOCOLS));
  const functions = { request, response, prompt: options.prompt, fetch: options.fetch };
  for (const [name, value] of Object.entries(functions))
    if (value !== undefined && typeof value !== 'function')
      throw new TypeError(`${name} must be a function, not ${show(value)}`);
  checkChoice(options.rows ?? 'numbers', 'rows', ['numbers', 'values', 'records']);
  const labels = readLabels(options.labels);
  const talks = protocol === 'chat' || protocol === 'completion';
  if (talks && !(labels && labels.length > 1))
    throw new TypeError(`a chat or completion needs labels: at least two names, not ${show(labels)}`);
  if (talks && typeof model !== 'string')
    throw new TypeError(`a chat or completion needs the name of its model, not ${show(model)}`);
  // A chat takes one question per request.
  const { batchSize = protocol === 'chat' ? 1 : undefined } = options;
  /** @type {Protocol | undefined} */
  let spoken;
  /** @param {any} part @param {number} size @param {AbortSignal} [signal] */
  const ask = async (part, size, signal) => {
    const more = typeof headers === 'function' ? await headers() : headers;
    const post = (/** @type {string} */ to, /** @type {unknown} */ body) =>
      send(options.fetch ?? globalThis.fetch, to, { headers: more, body, signal });
    spoken ??= await PROTOCOLS[protocol]({ ...options, labels }, address.href);
    const body = await (request ?? spoken.request)(part, post);
    return (response ?? spoken.response)(await post(address.href, body), size);
  };
  // Everything that may change an answer. A cache holds only a hash of it. Headers are left out, because tokens change.
  const known = Object.entries(options).flatMap(([name, value]) =>
    ['headers', 'fetch', 'batchSize'].includes(name) ? [] : [[name, typeof value === 'function' ? `${value}` : value]],
  );
  return makePredict({ softmax: checkFlag(softmax, 'softmax'), labels, batchSize }, ask, {
    model: JSON.stringify([address.href, protocol, ...known.sort()]),
    ...(batchSize && { maxBatch: batchSize }),
  });
}

/** @param {unknown} url @returns {URL} */
function addressOf(url) {
  try {
    return new URL(String(url), globalThis.location?.href);
  } catch {
    throw new TypeError(`fromHTTP takes the address of a model, not ${show(url)}`);
  }
}

/**
 * Posts JSON, or gets it if there is no body.
 *
 * @param {Fetch} fetch
 * @param {string} address
 * @param {{ headers?: Record<string, string>, body?: unknown, signal?: AbortSignal }} options
 */
async function send(fetch, address, { headers, body, signal }) {
  // A key may be in the query.
  const [place] = address.split('?');
  const response = await fetch(address, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
  }).catch((cause) => {
    signal?.throwIfAborted();
    const why = messageOf(cause?.cause ?? cause);
    throw new Error(`${place} could not be reached: ${why}`, { cause });
  });
  if (!response.ok) throw await refusal(response, place);
  try {
    return await response.json();
  } catch (cause) {
    signal?.throwIfAborted();
    throw new Error(`${place} sent no whole JSON: ${messageOf(cause)}`, { cause });
  }
}

/** @param {Response} response @param {string} place */
async function refusal(response, place) {
  const { status, statusText, headers } = response;
  const text = (await response.text().catch(() => '')).trim().slice(0, 200);
  const later = headers.get('retry-after');
  // Seconds or a date.
  const wait =
    later === null ? NaN : Number.isNaN(Number(later)) ? Date.parse(later) - Date.now() : 1000 * Number(later);
  const error = new Error([`${place} answered ${status} ${statusText}`.trim(), text].filter(Boolean).join(': '));
  return Object.assign(error, { status, ...(wait >= 0 && { retryAfter: wait }) });
}
