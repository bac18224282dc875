// The reference of the built site has an entry with an example for every name that a user can meet; none may be missing.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { COMMANDS } from '../../js/command/command-list.js';
import {
  compare,
  describeTable,
  explainImage,
  explainRow,
  explainText,
  recourse,
  summarize,
} from '../../js/runtimes/node.js';
import { readDocs } from '../support/pages/built-site.js';
import { readSources } from '../support/rooms.js';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The entries of a built page: what is between a heading and the next, by the text of the heading. */
function entriesOf(path, level) {
  const parts = readDocs(path)
    .split(new RegExp(`<h${level}[^>]*>`))
    .slice(1);
  const entries = parts.map((part) => {
    const [heading] = part.split(`</h${level}>`);
    return [heading.replace(/<[^>]*>|&ZeroWidthSpace;|\u200b/g, '').replaceAll('&#39;', "'").replaceAll('&quot;', '"').trim(), part.split(/<h[1-3][ >]/)[0]]; // prettier-ignore
  });
  return new Map(entries);
}

/** Says which names have no entry, and which entries have no code. */
function findGaps(names, entries) {
  return names.flatMap((name) => {
    const entry = entries.get(name);
    if (entry === undefined) return [`${name} has no entry`];
    return /<pre[ >]/.test(entry) ? [] : [`${name} has no example`];
  });
}

test('a missing entry and an entry without code are found', () => {
  const entries = new Map([
    ['a', '<p>text</p><pre class="x">code</pre>'],
    ['b', '<p>text</p>'],
  ]);
  assert.deepEqual(findGaps(['a', 'b', 'c'], entries), ['b has no example', 'c has no entry']);
});

test('every option of the explain calls has an entry with an example', () => {
  const sources = [...readSources()].filter(([path]) => path.startsWith('js/'));
  const lists = sources.flatMap(([, text]) => [
    ...text.matchAll(/^(?:export )?const (\w+)_OPTIONS = Object\.freeze\(\[([^;]*)\]\);/gm),
  ]);
  const names = lists.filter(([, list]) => list !== 'GROW').flatMap(([, , list]) => [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name)); // prettier-ignore
  // Those of input are checked one by one.
  const [, input] = read('js/neighborhood/compose-images.js').match(/@typedef \{object\} InputOptions\b([\s\S]*?)\*\//);
  const inner = [...input.matchAll(/@property \{[^}]*\} \[?(\w+)/g)].map(([, name]) => `input.${name}`);
  assert.ok(names.length > 40 && inner.length >= 7, `${names.length} options, ${inner.length} of input`);
  assert.deepEqual(findGaps([...names, ...inner], entriesOf('reference/every-option.html', 2)), []);
});

describe('every field of a result has an entry with an example', () => {
  const entries = entriesOf('reference/every-field.html', 2);
  const check = (prefix, ...objects) => {
    const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
    assert.ok(names.length > 1);
    assert.deepEqual(findGaps(names.map((name) => prefix + name), entries), []); // prettier-ignore
  };
  const rows = Array.from({ length: 60 }, (_, i) => [i % 7, (i * i) % 11, i % 3 ? 'sun' : 'rain']);
  const predict = (batch) => batch.rows.map(([a, b, c]) => [a, b + (c === 'sun' ? 2 : 0)].map((x) => x / (a + b + 3)));
  const shares = (batch) => predict(batch).map(([a]) => [a, 1 - a]);

  test('of explanations of rows, texts and images, by every method', async () => {
    const table = await describeTable(rows, { columns: ['a', 'b', 'c'], categorical: ['c'] });
    const given = { table, classes: ['x', 'y'], samples: 100 };
    const progress = [];
    const explained = [
      await explainRow(rows[3], shares, { ...given, keepAnswers: true, keepGame: true, samples: 'auto', onProgress: (one) => progress.push(one) }),
      await explainRow(rows[3], shares, { ...given, discretize: 'quartile' }),
      await explainRow(rows[3], shares, { ...given, method: 'shap', background: rows }),
      await explainText('a good film', (texts) => texts.map((text) => text.length)),
      await explainImage({ data: new Uint8Array(300).map((_, i) => (i * 7) % 256), width: 10, height: 10 }, ({ data, shape }) => Array.from({ length: shape[0] }, (_, i) => data[i * 300]), { segments: { kind: 'grid', count: 4 } }),
    ]; // prettier-ignore
    check('', ...explained);
    check('features[].', ...explained.flatMap(({ features }) => features));
    check('reference.', ...explained.map((one) => one.reference).filter(Boolean));
    check('equilibrium.', ...explained.map((one) => one.equilibrium).filter(Boolean));
    check('queries.', ...explained.map(({ queries }) => queries));
    check('progress.', ...progress);
    const summary = summarize(explained.slice(0, 2), { groups: ['g', 'g'] });
    check('summary.', summary);
    check('summary.features[].', ...summary.features);
    check('comparison.', compare(explained[0], explained[0]));
  });

  test('of recourse', async () => {
    const table = await describeTable(rows, { columns: ['a', 'b', 'c'], categorical: ['c'] });
    check('recourse.', await recourse(rows[3], shares, { table, classes: ['x', 'y'], target: 'x' }));
  });
});

test('every code of LinexError has an entry with a script that causes it', () => {
  const [, list] = read('js/core/errors.js').match(/@typedef \{([^}]*)\} ErrorCode/);
  const codes = [...list.matchAll(/'[\w-]+'/g)].map(([code]) => code);
  assert.ok(codes.length >= 10);
  const entries = entriesOf('reference/errors.html', 3);
  assert.deepEqual(findGaps(codes, entries), []);
  const shown = (code) => entries.get(code).replace(/<[^>]*>/g, '');
  // The script prints the code, which `npm test` checks by running it.
  for (const code of codes) assert.match(shown(code), new RegExp(`console\\.log\\(.*// ${code.slice(1, -1)}\\b`), code);
});

test('every element has a page with its attributes, properties, events, parts and an example', () => {
  const tags = ['elements', 'charts'].flatMap((name) =>
    [...read(`js/${name}.js`).matchAll(/'(linex-\w+)'/g)].map(([, tag]) => tag),
  );
  assert.ok(tags.length >= 11, `${tags.length} tags`);
  for (const tag of tags) {
    const entries = entriesOf(`reference/elements/${tag}.html`, 2);
    assert.deepEqual(findGaps(['Events', 'CSS parts', 'Custom properties', 'Example'], entries), [], tag);
    for (const name of ['Attributes', 'Properties', 'Methods']) assert.match(entries.get(name), /<table/, `${tag} ${name}`);
    const parts = [...entries.get('CSS parts').matchAll(/<td><code>([\w-]+)<\/code><\/td>/g)].map(([, part]) => part);
    const styles = entries.get('CSS parts').replace(/<[^>]*>/g, '');
    assert.ok(parts.includes('figure'), tag);
    for (const part of parts) assert.ok(styles.includes(`${tag}::part(${part})`), `${tag} ${part}`);
    // The example is about this element.
    const name = `Linex${tag[6].toUpperCase()}${tag.slice(7)}`;
    assert.match(entries.get('Example').replace(/<[^>]*>/g, ''), new RegExp(`&lt;${tag}\\b|\\b${name}\\b`), tag);
  }
}); // prettier-ignore

test('every command has a page with its options and an example of each call that its help shows', async () => {
  assert.ok(COMMANDS.length >= 8);
  for (const { name, load } of COMMANDS) {
    const { command } = await load();
    const page = readDocs(`reference/command/${name}.html`);
    for (const option of Object.keys(command.takes)) assert.match(page, new RegExp(`<code>--${option}</code>`), `${name} --${option}`); // prettier-ignore
    const text = page.replace(/<[^>]*>/g, '').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>'); // prettier-ignore
    assert.ok(command.examples.length > 0, name);
    for (const { words } of command.examples) assert.ok(text.includes(words), `${name}: ${words}`);
  }
});
