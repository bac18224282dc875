// The documentation lists every error message of the library, and what Troubleshooting says about is still thrown.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { messagesPage, PAGE, readMessages } from '../../.ci/docs-messages.js';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { messages, unknown } = readMessages();
/** Errors that only pass on the message of another one, or of a list above. */
const PASSED_ON = [
  /^js\/adapters\/from-http\.js: .*answered/,
  /^js\/command-reports\/report-facts\.js: .*lineOf\(error\)/,
  /^js\/core\/load\.js: .*reason\(cause\)/,
  /^js\/data\/image-input\.js: .*\$\{name\} \$\{reason\}/,
  /^js\/data\/vector-files\.js: .*'file', message/,
  /^js\/explain\/explain-row\.js: .*messageOf\(error\)/,
  /^js\/fleet\//,
  /^js\/pool\/pool-errors\.js: .*fullMessage/,
];

test('messages.md is what npm run docs:messages writes now', async () => {
  assert.equal(read(PAGE), await messagesPage(), 'run npm run docs:messages');
});

test('every error has a message that the page shows, or passes on that of another', () => {
  assert.ok(messages.length > 400, `${messages.length} messages`);
  const strays = unknown.filter((code) => !PASSED_ON.some((pattern) => pattern.test(code)));
  assert.deepEqual(strays, []);
  const page = read(PAGE);
  const shown = messages.filter(({ text }) => !page.includes(text.replaceAll('|', '\\|')));
  assert.deepEqual(shown, []);
});

test('the known messages of each area are found', () => {
  const texts = new Set(messages.map(({ text }) => text));
  // Thrown by a constructor, by a conditional message, by a helper, and by a variable.
  for (const text of [
    "target 'top' needs the answer at the input; name a class instead",
    'the pool is closed',
    '…the file of word vectors is empty',
    'the answers do not determine the weights; set a larger ridge',
    'the model did not answer batch … within … ms',
  ])
    assert.ok(texts.has(text), text);
});

test('every heading of Troubleshooting that quotes linex is a message of it', () => {
  const foreign = [
    'Failed to resolve module specifier "linex"',
    'fidelity',
    'no available backend found. ERR: [wasm] …',
  ];
  const quoted = [...read('web/docs/troubleshooting.md').matchAll(/^### `(.+)`(?:.*)$/gm)].map(([, text]) => text);
  assert.ok(quoted.length > 25, `${quoted.length} headings`);
  const known = messages.map(({ text }) => text);
  assert.deepEqual(quoted.filter((text) => !known.includes(text) && !foreign.includes(text)), []); // prettier-ignore
});
