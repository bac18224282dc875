// A page with all chart elements and the functions that tests call in it, for any browser.

/** The tag of each chart by its id on the page. */
export const CHART_IDS = Object.freeze([
  ...['waterfall', 'summary', 'importance', 'dependence', 'comparison', 'steadiness', 'targets', 'recourse'],
]);

const INDEX = `<!doctype html><html lang="en"><meta charset="utf-8"><title>linex</title><link rel="stylesheet" href="/page.css">
<main>${CHART_IDS.map((id) => `<linex-${id} id="${id}"></linex-${id}>`).join('\n')}
<linex-bars id="bars"></linex-bars></main><script type="module" src="/page.js"></script>`;
const CSS =
  'html { color-scheme: light dark } body { margin: 8px } main { display: grid; gap: 16px; width: 700px; grid-template-columns: 100% }';
const SCRIPT = `
  import { explainedRow, silence } from '/tests/support/contributions.js';
  import { compare } from '/js/measure/comparison.js';
  import { setSourceOfRecourse } from '/js/measure/recourse-source.js';
  import { summarize } from '/js/measure/summary.js';
  import { byClass } from '/tests/support/drawing/recourses-to-draw.js';
  const find = (id) => document.getElementById(id);
  const names = ['income', 'late payments', 'home'];
  const rows = Array.from({ length: 30 }, (_, i) => {
    const values = [15000 + 2000 * i, i % 4, i % 2 ? 'own' : 'rent'];
    const effects = [(i - 15) / 40, 0.15 - 0.1 * (i % 4), i % 2 ? 0.05 : -0.05];
    return explainedRow(effects, { names, values, half: 0.02, reference: 0.5, error: 0.01 });
  });
  silence(rows[0], 2);
  // The first one is set before the elements are defined, as on a page whose modules load late.
  find('waterfall').explanation = rows[0];
  await import('/js/charts.js');
  await import('/js/elements.js');
  find('bars').explanation = rows[0];
  find('summary').explanations = find('dependence').explanations = rows;
  find('dependence').setAttribute('feature', 'income');
  find('importance').summary = summarize(rows);
  find('comparison').names = ['A', 'B'];
  find('comparison').comparison = compare(rows[0], rows[29]);
  find('steadiness').explanations = rows.slice(0, 8);
  find('targets').explanations = [rows[0], { ...rows[29], target: 'no' }];
  // The search needs WebAssembly; this is what it returns.
  setSourceOfRecourse(byClass, rows[0]);
  find('recourse').recourse = byClass;
  globalThis.rows = rows;
  globalThis.events = [];
  document.addEventListener('feature-focus', ({ target, detail }) => events.push([target.id, detail.feature, detail.name]));
  // By the id of an element: the keys of the highlighted stops, the text of the tooltip, the stop that has the focus.
  globalThis.lit = (id) => [...find(id).shadowRoot.querySelectorAll('.linex-lit')].map((stop) => Number(stop.dataset.feature));
  globalThis.tip = (id) => { const tip = find(id).shadowRoot.querySelector('[role=tooltip]'); return tip.hidden ? null : tip.textContent; };
  globalThis.focused = (id) => find(id).shadowRoot.activeElement?.dataset.feature;
  globalThis.result = true;`;

/** The page's files, by path. */
export const CHARTS_PAGE = { 'index.html': INDEX, 'page.css': CSS, 'page.js': SCRIPT };
