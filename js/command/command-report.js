// `linex report`: makes one HTML page of a file of explanations.
import { onlyWord } from '../command-jobs/command-arguments.js';
import { EXIT } from '../command-files/command-failure.js';
import { Output } from '../command-jobs/command-output.js';
import { writeReport } from '../command-reports/report-file.js';

/** @type {import('../command-jobs/command-arguments.js').Command} */
export const command = {
  name: 'report',
  summary: 'make one HTML page of a file of explanations',
  usage: 'why.jsonl [--out why.html]',
  about: [
    'Makes one page of a file from linex explain: which features matter, how sure that is, and which rows need a look. The page needs no server and no network, follows the light or dark theme, and can be printed.',
  ],
  takes: {
    out: { kind: 'text', short: 'o', value: 'file', help: 'the page, why.html, or a picture of all rows, why.svg' },
    json: { kind: 'flag', help: 'print the counts as JSON too' },
  },
  examples: [{ words: 'linex report why.jsonl --out why.html', about: 'makes why.html; open it in a browser' }],
  async run(given) {
    const { values } = given;
    const output = new Output(values);
    const path = onlyWord(given, 'the file of explanations, such as why.jsonl', 'report');
    const out = values.out ?? `${path.replace(/\.jsonl$/, '')}.html`;
    const { rows, failed, doubts } = await writeReport(path, out);
    const doubtful = doubts.map(({ reason, count }) => ({ reason, count }));
    if (values.json) await output.print(JSON.stringify({ out, rows, failed, doubts: doubtful }));
    output.note(`wrote ${out}: ${rows.toLocaleString('en')} rows, ${failed.toLocaleString('en')} failed`);
    for (const { reason, count } of doubtful) output.note(`  ${reason}: ${count.toLocaleString('en')}`);
    return EXIT.ok;
  },
};
