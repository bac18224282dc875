// Writes explanations for people: bars in the terminal, and HTML and SVG files.
import { extname } from 'node:path';
import { escape } from '../render/wording.js';
import { renderSentence } from '../render/reading.js';
import { renderBarsSVG, renderTextSVG } from '../render/render-svg.js';
import { renderTextHTML } from '../render/render-html.js';
import { renderTerminal } from '../render/render-terminal.js';
import { CommandFailure } from '../command-files/command-failure.js';
import { writeWhole } from '../command-files/whole-file.js';

/**
 * The format of an output file, by the ending of its name.
 *
 * @param {string} path
 * @param {readonly string[]} known  endings such as `html`
 * @returns {string}
 * @throws {CommandFailure}
 */
export function formatOf(path, known) {
  const ending = extname(path).slice(1).toLowerCase();
  if (known.includes(ending)) return ending;
  const endings = known.map((one) => `.${one}`).join(', ');
  throw new CommandFailure(`--out must end in one of ${endings}, not ${JSON.stringify(path)}`);
}

/** An explanation without times, as files and `--json` have it. @param {any} explanation */
export const asJSON = (explanation) => JSON.stringify({ ...explanation, milliseconds: undefined });

/**
 * A whole HTML page.
 *
 * @param {string} title
 * @param {string} body
 * @param {string} [styles]
 * @returns {string}
 */
export function pageOf(title, body, styles = '') {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<style>
:root{color-scheme:light dark}
body{margin:0 auto;padding:24px 16px;max-width:960px;font:16px/1.5 system-ui,sans-serif;background:light-dark(#fff,#15171b);color:light-dark(#1b1f24,#e6e8eb)}
svg{max-width:100%;height:auto}
@media print{:root{color-scheme:light}body{padding:0;max-width:none}}
${styles}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

/**
 * The page of one explanation.
 *
 * @param {any} explanation
 * @param {string} title
 * @returns {string}
 */
export function explanationPage(explanation, title) {
  const picture =
    explanation.kind === 'text'
      ? renderTextHTML(explanation)
      : `<figure style="margin:0">${renderBarsSVG(explanation, { theme: 'auto', width: 760 })}</figure>`;
  return pageOf(title, `<h1>${escape(title)}</h1>\n<p>${escape(renderSentence(explanation))}</p>\n${picture}`);
}

/**
 * Writes one explanation to a file.
 *
 * @param {string} path
 * @param {any} explanation
 * @param {string} title
 */
export async function writePicture(path, explanation, title) {
  const format = formatOf(path, ['html', 'svg', 'json']);
  const svg = explanation.kind === 'text' ? renderTextSVG : renderBarsSVG;
  if (format === 'svg') await writeWhole(path, svg(explanation, { theme: 'auto' }));
  else if (format === 'json') await writeWhole(path, `${asJSON(explanation)}\n`);
  else await writeWhole(path, explanationPage(explanation, title));
}

/**
 * Prints one explanation.
 *
 * @param {import('../command-jobs/command-output.js').Output} output
 * @param {any} explanation
 * @param {boolean} [json]
 */
export async function printExplanation(output, explanation, json = false) {
  await output.print(
    json
      ? asJSON(explanation)
      : renderTerminal(explanation, { width: output.width, color: output.color }).replace(/ +$/gm, ''),
  );
}
