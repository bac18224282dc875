// Explains rows of a model behind HTTP: a server that is busy, is killed, or wants a secret.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderFor, LIMIT, runCommand } from '../support/workers/command-runs.js';

const rows = `x,y\n${Array.from({ length: 12 }, (_, i) => `${i},${(i * 5) % 7}`).join('\n')}\n`;

/** Serves the model x - 2 y on loopback. */
async function serveModel(t, onRequest = () => undefined) {
  const asked = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += piece));
    request.on('end', () => {
      const { instances } = JSON.parse(body);
      const refusal = onRequest(asked.length, instances);
      asked.push({ body, headers: request.headers });
      if (refusal) return response.writeHead(refusal, { 'retry-after': '0' }).end();
      return response.end(JSON.stringify({ predictions: instances.map(([x, y]) => x - 2 * y) }));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { asked, address: `http://127.0.0.1:${server.address().port}/v1/models/m:predict` };
}

const words = (address) => ['explain', 'rows.csv', '--model', address, '--samples', '40', '--preset', 'paper', '--out'];

test('a busy server is asked again, and a cache asks nothing twice', LIMIT, async (t) => {
  const folder = folderFor(t, { 'rows.csv': rows });
  const { asked, address } = await serveModel(t, (count) => (count % 3 === 1 ? 429 : undefined));
  const cached = [...words(address), 'why.jsonl', '--cache', 'answers.jsonl'];
  const { code, stderr } = await runCommand(folder, cached, { environment: { LINEX_AUTHORIZATION: 'Bearer secret' } });
  assert.equal(code, 0, stderr);
  assert.ok(asked.length >= 12 && asked.every(({ headers }) => headers.authorization === 'Bearer secret'));
  const whole = readFileSync(join(folder, 'why.jsonl'), 'utf8');
  assert.ok(!whole.includes('secret') && whole.trim().split('\n').length === 13);
  for (const [i, line] of whole.trim().split('\n').slice(1).entries())
    assert.equal(JSON.parse(line).explanation.prediction, i - 2 * ((i * 5) % 7));
  const before = asked.length;
  assert.equal((await runCommand(folder, [...cached, '--overwrite'])).code, 0);
  assert.equal(asked.length, before);
  assert.equal(readFileSync(join(folder, 'why.jsonl'), 'utf8'), whole);
});

test('a server that goes away ends the run with exit code 3, and the next run goes on', LIMIT, async (t) => {
  const folder = folderFor(t, { 'rows.csv': rows });
  let down = true;
  const { address } = await serveModel(t, (_, [[x]]) => (down && x >= 5 ? 500 : undefined));
  const patient = [...words(address), 'why.jsonl', '--retries', '0', '--max-failures', '2'];
  const broken = await runCommand(folder, patient);
  assert.equal(broken.code, 3, broken.stderr);
  assert.match(broken.stderr, /linex: the model failed for 2 rows in a row, .*500/);
  const kept = readFileSync(join(folder, 'why.jsonl'), 'utf8');
  assert.ok(kept.split('\n').length >= 3 && !kept.includes('"error"'));
  down = false;
  assert.equal((await runCommand(folder, patient)).code, 0);
  const whole = readFileSync(join(folder, 'why.jsonl'), 'utf8');
  assert.ok(whole.startsWith(kept) && whole.trim().split('\n').length === 13);
});

test('a file is not continued with another model of the same server', LIMIT, async (t) => {
  const folder = folderFor(t, { 'rows.csv': rows });
  const { asked, address } = await serveModel(t);
  const first = [...words(address), 'why.jsonl', '--served-model', 'may'];
  assert.equal((await runCommand(folder, first)).code, 0);
  const before = asked.length;
  const { code, stderr } = await runCommand(folder, [...words(address), 'why.jsonl', '--served-model', 'june']);
  assert.equal(code, 2);
  assert.match(stderr, /why\.jsonl was made with --served-model "may", not "june"; choose another --out/);
  assert.equal(asked.length, before);
});
