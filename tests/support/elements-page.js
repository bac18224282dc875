// A page with all three elements, and what a test asks of it; for tests of the elements in any browser.

const INDEX = `<!doctype html><html lang="en"><meta charset="utf-8"><title>linex</title><link rel="stylesheet" href="/page.css">
<main><linex-text id="text"></linex-text><linex-bars id="bars"></linex-bars><linex-bars id="other"></linex-bars>
<linex-image id="image"></linex-image><linex-bars id="cells"></linex-bars></main><script type="module" src="/page.js"></script>`;
const CSS = 'main { display: grid; gap: 16px; width: 700px }';
const SCRIPT = `
  import * as pictures from '/tests/support/explanations-to-draw.js';
  const find = (id) => document.getElementById(id);
  // Before the elements are defined, as in a page whose modules come late.
  find('text').explanation = pictures.review;
  await import('/js/elements.js');
  find('bars').explanation = pictures.review;
  find('other').explanation = pictures.loan;
  const { data, width, height } = pictures.photo(600, 450, 4);
  find('image').image = new ImageData(data, width, height);
  find('image').explanation = find('cells').explanation = pictures.alps;
  globalThis.events = [];
  document.addEventListener('feature-focus', (event) => events.push([event.target.id, event.detail.feature]));
  globalThis.lit = (id) => [...find(id).shadowRoot.querySelectorAll('.linex-lit')].map((one) => Number(one.dataset.feature));
  globalThis.tip = (id) => { const tip = find(id).shadowRoot.querySelector('[role=tooltip]'); return tip.hidden ? null : tip.textContent; };
  globalThis.focused = (id) => find(id).shadowRoot.activeElement?.dataset.feature;
  globalThis.pictures = pictures;
  globalThis.result = true;`;

/** The page's files, by path. */
export const ELEMENTS_PAGE = { 'index.html': INDEX, 'page.css': CSS, 'page.js': SCRIPT };
