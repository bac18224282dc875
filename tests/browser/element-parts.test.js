// custom-elements.json says which CSS parts and custom properties the elements have: they are those that the elements draw.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeManifest } from '../../.ci/element-types.js';
import { CHARTS_PAGE } from '../support/pages/charts-page.js';
import { ELEMENTS_PAGE } from '../support/pages/elements-page.js';
import { openPage } from '../support/pages/page.js';

const root = new URL('../..', import.meta.url);
/** What the manifest says, by the name of the tag. */
const all = makeManifest().modules.flatMap(({ declarations }) => declarations);
const manifest = new Map(all.map((one) => [one.tagName, one]));

/** What each element of a page draws: its parts, and the colors after its custom properties are set. */
function look(properties) {
  const drawn = [...document.querySelectorAll('main > *')].filter(({ localName }) => localName.startsWith('linex-'));
  return drawn.map((element) => {
    const parts = new Set([...element.shadowRoot.querySelectorAll('[part]')].flatMap(({ part }) => [...part]));
    const before = element.shadowRoot.querySelector('figure');
    const styleOf = (name) =>
      getComputedStyle(before)
        .getPropertyValue(`--${name.slice('--linex-'.length)}`)
        .trim();
    const found = properties.map((name) => {
      element.style.setProperty(name, name === '--linex-font' ? 'cursive' : 'rgb(1, 2, 3)');
      const is = name === '--linex-font' ? getComputedStyle(before).fontFamily : styleOf(name);
      return [name, is];
    });
    return { tag: element.localName, parts: [...parts].sort(), found };
  });
}

for (const [name, files] of Object.entries({ elements: ELEMENTS_PAGE, charts: CHARTS_PAGE }))
  test(`the ${name} have the CSS parts and the custom properties that custom-elements.json lists`, async (t) => {
    const page = await openPage(t, root, files);
    if (!page) return;
    const { tab } = page;
    await tab.waitForFunction(() => globalThis.result);
    const properties = [...manifest.values()][0].cssProperties.map((one) => one.name);
    const shown = await tab.evaluate(look, properties);
    assert.ok(shown.length > 2);
    for (const { tag, parts, found } of shown) {
      const { cssParts, cssProperties } = manifest.get(tag);
      assert.deepEqual(cssParts.map((one) => one.name).sort(), parts, tag); // prettier-ignore
      assert.deepEqual(cssProperties.map((one) => one.name), properties, tag); // prettier-ignore
      for (const [property, is] of found)
        assert.equal(is, property === '--linex-font' ? 'cursive' : 'rgb(1, 2, 3)', `${tag} ${property}`);
    }
  });

test('every description of the manifest is a sentence, and no element is left out', () => {
  const tags = ['elements', 'charts'].flatMap((name) =>
    [...readFileSync(new URL(`js/${name}.js`, root), 'utf8').matchAll(/'(linex-\w+)'/g)].map(([, tag]) => tag),
  );
  assert.ok(tags.length >= 11, `${tags.length} tags`);
  assert.deepEqual([...manifest.keys()].sort(), [...new Set(tags)].sort());
  for (const { tagName, attributes, members, events, cssParts, cssProperties } of manifest.values())
    for (const { name, description } of [...attributes, ...members, ...events, ...cssParts, ...cssProperties])
      assert.match(description, /^.{4,}/, `${tagName} ${name}`);
});
