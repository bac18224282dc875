// A model server whose answers fail in chosen ways: slow, busy, too large, reset, or cut in half.
import { startServer } from '../pages/server.js';

/** The score of a text: how many letters of each kind it has, through a logistic function. @param {string} text */
export function scoreOf(text) {
  const sum = [...text].reduce((total, letter, i) => total + Math.sin(letter.charCodeAt(0)) / (1 + (i % 7)), 0);
  return 1 / (1 + Math.exp(-sum));
}

/**
 * Starts the server. It takes an array of texts and answers one score each.
 *
 * @param {import('node:test').TestContext} t
 * @param {(request: { index: number, texts: string[] }) => undefined | string | { status: number, headers?: object, wait?: number }} [fault]
 *   what happens to a request: undefined for a good answer, `'reset'`, `'half'`, or a status
 */
export async function startFaultServer(t, fault = () => undefined) {
  /** What each request asked, in order. @type {string[][]} */
  const requests = [];
  /** How often each text was answered. @type {Map<string, number>} */
  const answered = new Map();
  /** When each request came, by performance.now(). @type {number[]} */
  const times = [];
  const origin = await startServer(t, async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const texts = JSON.parse(body);
    const index = requests.push(texts) - 1;
    times.push(performance.now());
    const found = fault({ index, texts });
    if (found?.wait) await new Promise((resolve) => setTimeout(resolve, found.wait));
    if (found === 'reset') return request.socket.destroy();
    const good = JSON.stringify(texts.map(scoreOf));
    if (found === 'half') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(good) });
      response.write(good.slice(0, good.length / 2));
      return setTimeout(() => request.socket.destroy(), 20);
    }
    if (found?.status) {
      response.writeHead(found.status, found.headers);
      return response.end('not now');
    }
    for (const text of texts) answered.set(text, (answered.get(text) ?? 0) + 1);
    response.setHeader('content-type', 'application/json');
    return response.end(good);
  });
  return { url: `${origin}/score`, requests, answered, times };
}
