// Writes the files of the report: its data, its pages and its figures.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { figuresIn } from './blocks.js';
import { factsOf } from './facts.js';
import { fill } from './prose.js';
import { renderReport } from './report-blocks.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
export const REPORT = path.join(root, 'tests/paper/report.json');
/** The pages of the documentation that a full run writes. */
export const REPORT_PAGE = path.join(root, 'web/docs/ideas/tables/paper.md');
export const FIGURES = path.join(root, 'web/docs/ideas/tables/paper');
export const OVERVIEW = path.join(root, 'web/docs/ideas/the-paper.md');

const NOTE =
  '<!-- Made by `npm run paper`. Do not edit; `npm run paper -- --render` writes it again from report.json. -->';
/** The prose of the page that says what came out, before its numbers are filled in. */
export const OVERVIEW_TEXT = readFileSync(new URL('./overview.txt', import.meta.url), 'utf8');

export const readReport = () => JSON.parse(readFileSync(REPORT, 'utf8'));

/** Returns the pages and figures of the documentation, by path. @param {object} report @returns {Map<string, string>} */
export function pagesOf(report) {
  const { blocks, markdown } = renderReport(report, 'paper');
  const overview = fill(OVERVIEW_TEXT.replace(/^<!--[\s\S]*?-->\n/, ''), factsOf(report));
  return new Map([
    [REPORT_PAGE, `${NOTE}\n\n${markdown}`],
    [OVERVIEW, `${NOTE}\n\n${overview}`],
    ...figuresIn(blocks).map(({ figure, svg }) => [path.join(FIGURES, `${figure}.svg`), svg]),
  ]);
}

/**
 * @param {object} report
 * @param {{ folder: string, pages: boolean }} where  pages: whether the pages of the documentation are written; otherwise the
 *   folder gets a page without external files
 */
export function writeReport(report, { folder, pages }) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'report.json'), `${JSON.stringify(report)}\n`);
  if (!pages) {
    const { markdown, page, blocks } = renderReport(report);
    writeFileSync(path.join(folder, 'report.md'), markdown);
    writeFileSync(path.join(folder, 'report.html'), page);
    mkdirSync(path.join(folder, 'figures'), { recursive: true });
    for (const { figure, svg } of figuresIn(blocks)) writeFileSync(path.join(folder, 'figures', `${figure}.svg`), svg);
    return;
  }
  rmSync(FIGURES, { recursive: true, force: true });
  mkdirSync(FIGURES, { recursive: true });
  for (const [file, text] of pagesOf(report)) writeFileSync(file, text);
}

/** Returns the committed pages and figures, by path. */
export function committedPages() {
  const figures = readdirSync(FIGURES).map((name) => path.join(FIGURES, name));
  return new Map([REPORT_PAGE, OVERVIEW, ...figures].map((file) => [file, readFileSync(file, 'utf8')]));
}
