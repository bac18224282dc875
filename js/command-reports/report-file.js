// Writes a report of a file of explanations: a page, or a picture of all rows.
import { renderSummarySVG } from '../charts/render-charts.js';
import { CommandFailure, EXIT } from '../command-files/command-failure.js';
import { writeWhole } from '../command-files/whole-file.js';
import { formatOf } from './picture-files.js';
import { readFacts } from './report-facts.js';
import { reportPage } from './report-page.js';

/**
 * Writes a report.
 *
 * @param {string} lines  the file of explanations
 * @param {string} path  of the report: .html or .svg
 * @returns {Promise<import('./report-facts.js').ReportFacts>}
 * @throws {CommandFailure}
 */
export async function writeReport(lines, path) {
  const format = formatOf(path, ['html', 'svg']);
  const facts = await readFacts(lines);
  if (format === 'html') await writeWhole(path, reportPage(facts));
  else {
    const [first] = facts.targets;
    if (!first) throw new CommandFailure(`no row of ${lines} has an explanation that could be drawn`, EXIT.failed);
    const list = first.explanations.map(({ explanation }) => explanation);
    await writeWhole(path, renderSummarySVG(list, { theme: 'auto', width: 860 }));
  }
  return facts;
}
