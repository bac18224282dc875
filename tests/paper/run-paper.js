// `npm run paper`: repeats the tables and figures of the LINEX paper and writes one report.
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dataFolder, hasFiles } from './sets/data.js';
import { costOf } from './jobs/costs.js';
import { figureJobs, smoothingJobs, studyJobs, sweepJobs, tableJobs, VERSION } from './jobs/plans.js';
import { buildReport } from './report/report.js';
import { readReport, writeReport } from './report/report-files.js';
import { openSet, SET_KEYS } from './sets/sets.js';
import { runJobs } from './jobs/work.js';

const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * @param {object} [how]
 * @param {boolean} [how.quick]
 * @param {string[]} [how.only]  keys of data sets
 * @param {string[]} [how.kinds]  kinds of neighborhoods; default all
 * @param {string} [how.results]  the folder for computed results
 * @param {string} [how.output]  the folder for the report; without it, a full run replaces the report and a quick one does not
 * @param {number} [how.threads]
 * @param {boolean} [how.plan]  only prints how long the jobs may take
 * @param {(text: string) => void} [how.say]
 */
export async function runPaper({
  quick = false,
  only = SET_KEYS,
  kinds,
  results,
  output,
  threads = 2,
  plan,
  say,
} = {}) {
  const tell = say ?? ((text) => process.stderr.write(text));
  const build = path.join(here, '..', '..', 'build');
  const sets = await availableSets(only, tell);
  const plans = sets.map((set) => ({ set, jobs: jobsOf(set, quick, kinds) }));
  const figures = { version: VERSION, set: 'iris', part: 'figures' };
  const all = [figures, ...plans.flatMap(({ jobs }) => jobs)];
  if (plan) return tellPlan(all, tell, threads);
  const folder = results ?? path.join(build, 'paper');
  // Times are measured when nothing else runs.
  const [alone, shared] = [all.filter(({ part }) => part === 'times'), all.filter(({ part }) => part !== 'times')];
  const progress = bar(tell, { total: cost(all), jobs: all.length });
  const done = await runJobs(shared, { folder, threads, costOf, onProgress: progress(0, 0) });
  done.push(
    ...(await runJobs(alone, { folder, threads: 1, costOf, onProgress: progress(cost(shared), shared.length) })),
  );
  tell('\n');
  const runs = plans.map(({ set, jobs }) => ({ set, done: done.filter(({ job }) => jobs.includes(job)) }));
  const made = { command: `npm run paper${quick ? ' -- --quick' : ''}`, quick, minutes: minutesOf(done) };
  const drawn = done.find(({ job }) => job === figures).result.found;
  const report = buildReport(runs, { figures: drawn, made });
  // A quick run must not replace the committed report.
  const target = output ?? (quick ? path.join(build, 'paper-quick') : here);
  writeReport(report, { folder: target, pages: target === here });
  tell(`The report is in ${path.relative(process.cwd(), target) || '.'}.\n`);
  return report;
}

const cost = (jobs) => jobs.reduce((sum, job) => sum + costOf(job), 0);

/** Returns the minutes of all threads together, including those of earlier, stopped runs. */
const minutesOf = (done) => Math.ceil(done.reduce((sum, { result }) => sum + (result.about?.seconds ?? 0), 0) / 60);

/** Prints the estimated minutes by data set, part and reading. */
function tellPlan(jobs, tell, threads) {
  const groups = new Map();
  for (const job of jobs) {
    const name = [job.set, job.part, job.kind, job.reading].filter(Boolean).join(' ');
    groups.set(name, (groups.get(name) ?? 0) + costOf(job) / 60);
  }
  for (const [name, minutes] of groups) tell(`${minutes.toFixed(1).padStart(6)}  ${name}\n`);
  tell(`${jobs.length} jobs, ${(cost(jobs) / 60 / threads).toFixed(0)} minutes on ${threads} threads\n`);
}

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

/** Returns the jobs of a data set. A quick run has few examples, and only parts of the sweeps and of the study. */
function jobsOf(set, quick, wanted) {
  const kinds = Object.keys(set.kinds).filter((kind) => !wanted || wanted.includes(kind));
  if (quick) return quickJobs(set, kinds, wanted);
  const size = set.sizes.full;
  return [
    ...tableJobs(set, size, kinds),
    ...sweepJobs(set, set.sweep ?? size, kinds),
    ...(set.key === 'iris' ? smoothingJobs(set, set.sweep) : []),
    ...figureJobs(set),
    ...studyJobs(set, set.study, kinds),
  ];
}

function quickJobs(set, kinds, wanted) {
  const iris = set.key === 'iris';
  const fast = kinds.filter((kind) => !set.kinds[kind].slow || (set.key === 'fashion' && kind === 'latent'));
  const small = { ...set, kinds: Object.fromEntries(fast.map((kind) => [kind, shrunk(set.kinds[kind])])) };
  const few = { splits: 1, examples: 10 };
  const look = { ...set.study, splits: 1, samples: [50, 200], dense: false, counts: [2] };
  const figures = wanted ? [] : figureJobs(set, { quick: true });
  return [
    ...tableJobs(small, set.sizes.quick, fast).filter(
      ({ kind, reading }) => kind !== 'latent' || !SLOW.includes(reading),
    ),
    ...(iris ? sweepJobs(set, few, ['random'].filter((kind) => kinds.includes(kind))) : []), // prettier-ignore
    ...(iris ? [...smoothingJobs(set, few), ...studyJobs(set, look, ['random'])] : []),
    ...figures.filter(({ part, reading }) => part !== 'pictures' || (set.key === 'fashion' && reading === 'signed')),
  ];
}

/** Readings of pixels whose games mostly do not come to rest. */
const SLOW = ['letter', 'product'];

/** Fewer pictures at one kernel width, because their games take longest. */
const shrunk = (kind) =>
  kind.slow ? { ...kind, examples: 4, widths: [kind.widths[Math.floor(kind.widths.length / 2)]] } : kind;

/**
 * Shows a progress bar with the time left on one line of the terminal. It returns a function that makes the callback of each
 * phase, from the cost and the number of the jobs of earlier phases.
 */
function bar(tell, { total, jobs }) {
  const width = 40;
  const started = performance.now();
  let [shown, earlier, current] = ['', 0, 0];
  return (costBefore, jobsBefore) => {
    earlier += current;
    current = 0;
    return (spent, { jobs: finished, fresh }) => {
      current = fresh;
      const share = Math.max(0, Math.min(1, (costBefore + spent) / total));
      const seconds = (performance.now() - started) / 1000;
      const rate = (earlier + current) / seconds;
      const left = seconds > 3 && rate > 0 ? `, about ${timeOf(((1 - share) * total) / rate)} left` : '';
      const full = Math.floor(width * share);
      const line =
        `${'█'.repeat(full)}${'░'.repeat(width - full)} ${Math.floor(100 * share)} %,` +
        ` ${jobsBefore + finished} of ${jobs} jobs, ${timeOf(seconds)}${left} `;
      if (line !== shown) tell(`\r${line.padEnd(shown.length)}`);
      shown = line;
    };
  };
}

const timeOf = (seconds) => (seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = { type: /** @type {const} */ ('string') };
  const flag = { type: /** @type {const} */ ('boolean') };
  const { values } = parseArgs({
    options: { quick: flag, plan: flag, render: flag, only: text, kinds: text, threads: text, output: text },
  });
  if (values.render) writeReport(readReport(), { folder: here, pages: true });
  else
    await runPaper({
      quick: values.quick,
      plan: values.plan,
      only: values.only?.split(','),
      kinds: values.kinds?.split(','),
      threads: values.threads ? Number(values.threads) : undefined,
      output: values.output,
    });
}
