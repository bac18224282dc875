// Makes one HTML page of a file of explanations: what matters, how sure it is, and which rows need a look.
import { summarize } from '../measure/summary.js';
import { renderImportanceSVG, renderSummarySVG } from '../charts/render-charts.js';
import { renderBarsSVG } from '../render/render-svg.js';
import { escape } from '../render/wording.js';
import { pageOf } from './picture-files.js';

/** @typedef {import('./report-facts.js').ReportFacts} ReportFacts */

/** The most targets that have charts of their own. */
const MOST_TARGETS = 5;

const STYLES = `
h1{font-size:1.7rem;line-height:1.25;margin:0 0 4px}
h2{font-size:1.25rem;margin:40px 0 8px;border-top:1px solid light-dark(#d5d9de,#3a3f47);padding-top:16px}
h3{font-size:1rem;margin:20px 0 6px}
p{max-width:70ch}
.muted{color:light-dark(#57606a,#a5adb7)}
.tiles{display:flex;flex-wrap:wrap;gap:12px;margin:20px 0;padding:0;list-style:none}
.tiles li{flex:1 1 130px;border:1px solid light-dark(#d5d9de,#3a3f47);border-radius:10px;padding:10px 14px}
.tiles b{display:block;font-size:1.5rem;line-height:1.3}
figure{margin:12px 0}
.wide{overflow-x:auto;margin:0 0 20px}
table{border-collapse:collapse;width:100%;font-size:.92rem}
caption{text-align:start;font-weight:600;padding:6px 0}
th,td{text-align:start;padding:5px 12px 5px 0;border-bottom:1px solid light-dark(#e4e7eb,#2c3037);vertical-align:top;overflow-wrap:anywhere}
thead th{white-space:nowrap}
tbody th:not(.count){min-width:6em}
.count{text-align:end;font-variant-numeric:tabular-nums}
.share{display:inline-block;height:.7em;background:light-dark(#2b6cb0,#6ea8e6);border-radius:2px;print-color-adjust:exact;-webkit-print-color-adjust:exact}
code{font-size:.85em;overflow-wrap:anywhere}
@media screen{.wide svg{min-width:640px}}
@media print{.wide{overflow:visible}h2{break-after:avoid}figure,tr{break-inside:avoid}details>:not(summary){display:block}}
`;

const number = (/** @type {number} */ value) => value.toLocaleString('en');
const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(share > 0 && share < 0.01 ? 1 : 0)} %`;

/**
 * A table.
 *
 * @param {string} caption
 * @param {readonly string[]} headings
 * @param {readonly (readonly string[])[]} rows  HTML
 * @param {readonly number[]} [counts]  columns of numbers
 */
function tableOf(caption, headings, rows, counts = []) {
  const look = (/** @type {number} */ c) => (counts.includes(c) ? ' class="count"' : '');
  const head = headings.map((text, c) => `<th scope="col"${look(c)}>${escape(text)}</th>`).join('');
  const body = rows.map(
    ([first, ...rest]) =>
      `<tr><th scope="row"${look(0)}>${first}</th>${rest.map((cell, c) => `<td${look(c + 1)}>${cell}</td>`).join('')}</tr>`,
  );
  return (
    `<div class="wide" tabindex="0" role="region" aria-label="${escape(caption)}"><table><caption>${escape(caption)}</caption>` +
    `<thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`
  );
}

/**
 * A picture. On a narrow screen it is scrolled, because its words would be too small.
 *
 * @param {string} svg
 * @param {string} label
 */
const figureOf = (svg, label) =>
  `<div class="wide" tabindex="0" role="region" aria-label="${escape(label)}"><figure>${svg}</figure></div>`;

/**
 * Makes the page.
 *
 * @param {ReportFacts} facts
 * @returns {string}
 */
export function reportPage(facts) {
  const { header } = facts;
  const title = `Why ${header.model.name} answered as it did`;
  const drawn = facts.targets.filter(({ explanations }) => explanations.length > 0).slice(0, MOST_TARGETS);
  const body = [
    `<h1>${escape(title)}</h1>`,
    `<p class="muted">Rows ${escape(header.rows)} of ${escape(header.data.name)}, explained by linex ${escape(header.linex)}.</p>`,
    tilesOf(facts),
    '<h2>What matters</h2>',
    ...(drawn.length === 0 ? ['<p>No row has an explanation.</p>'] : drawn.map((one) => chartsOf(one, facts))),
    ...(facts.targets.length > drawn.length
      ? [`<p class="muted">${number(facts.targets.length - drawn.length)} further classes are not drawn.</p>`]
      : []),
    '<h2>How sure it is</h2>',
    suretyOf(facts, drawn),
    '<h2>Rows that need a look</h2>',
    doubtsOf(facts),
    ...(drawn.length > 0 ? ['<h2>Rows that show most</h2>', examplesOf(drawn[0])] : []),
    '<h2>How it was made</h2>',
    originOf(facts),
  ];
  return pageOf(title, body.join('\n'), STYLES);
}

/** @param {ReportFacts} facts */
function tilesOf({ rows, failed, doubts, silenced, fidelities }) {
  const doubtful = doubts.reduce((sum, { count }) => sum + count, 0);
  const tiles = [
    [number(rows), 'rows'],
    [number(failed), 'failed'],
    [number(doubtful), 'need a look'],
    [percent(1 - silenced), 'of the listed reasons are sure'],
    [medianOf(fidelities), 'median fidelity'],
  ];
  return `<ul class="tiles">${tiles.map(([value, what]) => `<li><b>${escape(value)}</b>${escape(what)}</li>`).join('')}</ul>`;
}

/** About where the middle of the fidelities is. @param {readonly number[]} counts  in ten steps */
function medianOf(counts) {
  const half = counts.reduce((sum, count) => sum + count, 0) / 2;
  let sum = 0;
  const step = counts.findIndex((count) => (sum += count) > 0 && sum >= half);
  return step < 0 ? 'none' : `${(step / 10).toFixed(1)} to ${((step + 1) / 10).toFixed(1)}`;
}

/** @param {ReportFacts['targets'][number]} target @param {ReportFacts} facts */
function chartsOf({ target, count, explanations }, { targets, every }) {
  const list = explanations.map(({ explanation }) => explanation);
  const look = { theme: /** @type {const} */ ('auto'), width: 860 };
  const heading = targets.length > 1 ? `<h3>${escape(String(target))}: ${number(count)} rows</h3>` : '';
  const note =
    every > 1 ? `<p class="muted">Drawn from ${number(list.length)} rows, spread evenly over the file.</p>` : '';
  const what = targets.length > 1 ? ` of ${target}` : '';
  return (
    heading +
    note +
    figureOf(renderImportanceSVG(summarize(list), look), `Importance of the features${what}`) +
    figureOf(renderSummarySVG(list, look), `Effects of the features${what}`)
  );
}

/** @param {ReportFacts} facts @param {ReportFacts['targets']} drawn */
function suretyOf({ fidelities }, drawn) {
  const all = fidelities.reduce((sum, count) => sum + count, 0);
  const most = Math.max(1, ...fidelities);
  const bars = fidelities.map((count, step) => [
    `${(step / 10).toFixed(1)} to ${((step + 1) / 10).toFixed(1)}`,
    number(count),
    all === 0 ? '' : percent(count / all),
    `<span class="share" style="width:${((200 * count) / most).toFixed(1)}px"></span>`,
  ]);
  const signs = drawn.map(({ target, explanations }) => {
    const { features } = summarize(explanations.map(({ explanation }) => explanation));
    const rows = features
      .slice(0, 20)
      .map(({ name, signs: { raises, lowers, unsure, none } }) => [
        escape(name),
        ...[raises, lowers, unsure, none].map(number),
        percent((raises + lowers) / explanations.length),
      ]);
    const caption = `In how many rows a feature raises or lowers the answer${target === null || drawn.length === 1 ? '' : ` ${target}`}`;
    const headings = ['feature', 'raises', 'lowers', 'not sure', 'no effect', 'sure'];
    return tableOf(caption, headings, rows, [1, 2, 3, 4, 5]);
  });
  return (
    '<p>Fidelity says how well the weights repeat the model near a row: 1 is perfectly, 0 is not at all.</p>' +
    tableOf('Explanations by fidelity', ['fidelity', 'rows', 'share', ''], bars, [1, 2]).replace(
      '<th scope="col"></th>',
      '<td></td>',
    ) +
    signs.join('\n')
  );
}

/** @param {ReportFacts} facts */
function doubtsOf({ doubts }) {
  if (doubts.length === 0) return '<p>None: every row has an explanation with sure reasons and without warnings.</p>';
  return doubts
    .map(({ reason, count, rows }) => {
      const more = count > rows.length ? `, the first ${rows.length}` : '';
      const caption = `${reason[0].toUpperCase()}${reason.slice(1)}: ${number(count)} row${count === 1 ? '' : 's'}${more}`;
      const cells = rows.map(({ row, answer, why }) => [number(row), escape(answer), escape(why)]);
      return tableOf(caption, ['row', 'answer', 'why'], cells, [0]);
    })
    .join('\n');
}

/** @param {ReportFacts['targets'][number]} target */
function examplesOf({ explanations }) {
  const { representatives } = summarize(explanations.map(({ explanation }) => explanation));
  const pictures = representatives.slice(0, 3).map(({ index }) => {
    const { row, explanation } = explanations[index];
    const picture = renderBarsSVG(explanation, { theme: 'auto', width: 760 });
    return `<h3>Row ${number(row)}</h3>\n${figureOf(picture, `Reasons for row ${number(row)}`)}`;
  });
  if (pictures.length === 0) return '<p>None: no row has a sure reason.</p>';
  const which = pictures.length === 1 ? 'This row shows' : 'Together, these rows show';
  return `<p>${which} the reasons that matter most.</p>\n${pictures.join('\n')}`;
}

/** @param {ReportFacts} facts */
function originOf({ header }) {
  const { options, seed, columns = [], model, data, table } = header;
  const rows = [
    ['model', `${escape(model.name)}<br><code>SHA-256 ${escape(model.sha256)}</code>`],
    ['data', `${escape(data.name)}<br><code>SHA-256 ${escape(data.sha256)}</code>`],
    ['statistics', `${escape(table.name)}<br><code>SHA-256 ${escape(table.sha256)}</code>`],
    ['columns', escape(columns.join(', '))],
    ['options', `<code>${escape(JSON.stringify(options))}</code>`],
    ['seed', escape(String(seed))],
  ];
  return tableOf('Origin', ['what', 'which'], rows);
}
