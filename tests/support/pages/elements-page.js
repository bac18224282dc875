// A page with all three elements and the functions that tests call in it, for any browser.

const INDEX = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>linex</title><link rel="stylesheet" href="/page.css">
<main><linex-text id="text"></linex-text><linex-bars id="bars"></linex-bars><linex-bars id="other"></linex-bars>
<linex-image id="image"></linex-image><linex-bars id="cells"></linex-bars></main><script type="module" src="/page.js"></script>`;
const CSS = 'main { display: grid; gap: 16px; width: 700px }';
const SCRIPT = `
  import * as explanations from '/tests/support/drawing/explanations-to-draw.js';
  const find = (id) => document.getElementById(id);
  // The first one is set before the elements are defined, as on a page whose modules load late.
  find('text').explanation = explanations.review;
  await import('/js/elements.js');
  find('bars').explanation = explanations.review;
  find('other').explanation = explanations.loan;
  const { data, width, height } = explanations.photo(600, 450, 4);
  find('image').image = new ImageData(data, width, height);
  find('image').explanation = find('cells').explanation = explanations.alps;
  globalThis.events = [];
  document.addEventListener('feature-focus', (event) => events.push([event.target.id, event.detail.feature]));
  // By the id of an element: the highlighted features, the text of the tooltip, the feature that has the focus.
  globalThis.lit = (id) => [...find(id).shadowRoot.querySelectorAll('.linex-lit')].map((stop) => Number(stop.dataset.feature));
  globalThis.tip = (id) => { const tip = find(id).shadowRoot.querySelector('[role=tooltip]'); return tip.hidden ? null : tip.textContent; };
  globalThis.focused = (id) => find(id).shadowRoot.activeElement?.dataset.feature;
  globalThis.explanations = explanations;
  globalThis.result = true;`;

/** The page's files, by path. */
export const ELEMENTS_PAGE = { 'index.html': INDEX, 'page.css': CSS, 'page.js': SCRIPT };
