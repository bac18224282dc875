// `npm run paper`: repeats the tables and figures of the LINEX paper and writes one report.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dataFolder, hasFiles } from './sets/data.js';
import { studyJobs, sweepJobs, tableJobs, VERSION } from './jobs/plans.js';
import { renderReport } from './report/report-blocks.js';
import { buildReport } from './report/report.js';
import { openSet, SET_KEYS } from './sets/sets.js';
import { runJobs } from './jobs/work.js';

const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * @param {object} [how]
 * @param {boolean} [how.quick]
 * @param {string[]} [how.only]  keys of data sets
 * @param {string[]} [how.kinds]  kinds of neighborhoods; default all
 * @param {string} [how.results]  the folder for computed results
 * @param {string} [how.output]  the folder for the report
 * @param {number} [how.threads]
 * @param {(text: string) => void} [how.say]
 */
export async function runPaper({
  quick = false,
  only = SET_KEYS,
  kinds,
  results,
  output = here,
  threads = 2,
  say,
} = {}) {
  const tell = say ?? ((text) => process.stderr.write(text));
  const sets = await availableSets(only, tell);
  const plans = sets.map((set) => ({ set, jobs: jobsOf(set, quick, kinds) }));
  const figures = { version: VERSION, set: 'iris', part: 'figures', kind: 'synthetic' };
  const sentences = sets.some(({ key }) => key === 'reviews') ? [sentenceJob()] : [];
  const jobs = [figures, ...sentences, ...plans.flatMap(({ jobs: own }) => own)];
  const folder = results ?? path.join(here, '..', '..', 'build', 'paper');
  const done = await runJobs(jobs, { folder, threads, onProgress: bar(tell, jobs.length) });
  tell('\n');
  const runs = plans.map(({ set }) => ({ set, done: done.filter(({ job }) => job.set === set.key && job.configs) }));
  const made = { command: `npm run paper${quick ? ' -- --quick' : ''}`, quick, minutes: minutesOf(done) };
  const report = buildReport(runs, {
    figures: done[0].result,
    sentences: sentences.length ? done[1].result : [],
    made,
  });
  mkdirSync(output, { recursive: true });
  const { markdown, page } = renderReport(report);
  writeFileSync(path.join(output, 'report.json'), `${JSON.stringify(report)}\n`);
  writeFileSync(path.join(output, 'report.md'), markdown);
  writeFileSync(path.join(output, 'report.html'), page);
  return report;
}

/** The job for the words of the paper's example sentences. */
const sentenceJob = () => ({ version: VERSION, set: 'reviews', part: 'sentences', kind: 'random' });

/** Returns the minutes of all threads together, including those of earlier, stopped runs. */
const minutesOf = (done) => Math.ceil(done.reduce((sum, { result }) => sum + (result.about?.seconds ?? 0), 0) / 60);

/** Returns the data sets whose files exist, and reports the missing ones. */
async function availableSets(only, tell) {
  const folder = dataFolder();
  if (folder === null)
    tell(
      'There is no data: set LINEX_DATA to a folder that holds it (README, "The paper\'s tables"). Iris alone is run.\n',
    );
  const sets = await Promise.all(only.map(openSet));
  return sets.filter((set) => {
    const there = hasFiles(folder, set.files);
    if (!there && folder !== null) tell(`${set.name} is left out: ${set.files.join(', ')} must be in ${folder}.\n`);
    return there;
  });
}

/** Returns the jobs of a data set. A quick run has only the tables, with few examples, and one part of the study. */
function jobsOf(set, quick, wanted) {
  const kinds = Object.keys(set.kinds).filter((kind) => !wanted || wanted.includes(kind));
  if (quick) return quickJobs(set, kinds);
  const size = set.sizes.full;
  const sweeps = sweepJobs(set, set.sweep ?? size, kinds);
  return [...tableJobs(set, size, kinds), ...sweeps, ...studyJobs(set, set.study, kinds)];
}

function quickJobs(set, kinds) {
  const fast = kinds.filter((kind) => !set.kinds[kind].slow);
  const look = { ...set.study, splits: 1, samples: [50, 200], dense: false, counts: [2] };
  return [...tableJobs(set, set.sizes.quick, fast), ...(set.key === 'iris' ? studyJobs(set, look, ['random']) : [])];
}

/** Shows a progress bar on one line of the terminal. */
function bar(tell, total) {
  const width = 40;
  const started = performance.now();
  let shown = '';
  return (finished) => {
    const full = Math.floor((width * finished) / total);
    const seconds = Math.round((performance.now() - started) / 1000);
    const share = Math.floor((100 * finished) / total);
    const line = `${'█'.repeat(full)}${'░'.repeat(width - full)} ${share} % of ${total} jobs, ${seconds} s `;
    if (line !== shown) tell(`\r${line}`);
    shown = line;
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = { type: /** @type {const} */ ('string') };
  const { values } = parseArgs({
    options: { quick: { type: 'boolean' }, only: text, kinds: text, threads: text, output: text },
  });
  await runPaper({
    quick: values.quick,
    only: values.only?.split(','),
    kinds: values.kinds?.split(','),
    threads: values.threads ? Number(values.threads) : undefined,
    output: values.output,
  });
}
