// npm run attack: fuzzes C and JavaScript, makes allocations fail, caps memory, soaks, and prints what was found.
//
//     npm run attack -- [--minutes N] [--only game,explain,…] [--seed S]
//
// The corpus in tests/fuzz/corpus grows in build/attack/corpus. What goes wrong is saved in build/attack, and the
// command that repeats it is printed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildWasm } from './build.js';
import { cmake, ensurePackages, ensureTools, filesIn, findTool, root } from './setup.js';

const ROOMS = [
  'game',
  'explain',
  'wide',
  'environments',
  'selection',
  'neighborhood',
  'kriging',
  'data',
  'forest',
  'image',
  'shapley',
];
const BUILD = 'build/attack/native/tests/fuzz';
const RESULTS = 'build/attack';
const node = process.execPath;
const path = (name) => fileURLToPath(new URL(name, root));

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    only: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const minutes = Number(values.minutes);
const { seed } = values;

/** The rooms where an error is worst. They get most of the time, and many executions without sanitizers. */
const HEARTS = ['game', 'explain'];

/**
 * The parts of the attack. share: of the time; command: of a time in seconds. Parts without a share take as long as they
 * need.
 *
 * @type {Record<string, { share?: number, command: (seconds: number) => [string, string[]], env?: Record<string, string> }>}
 */
const HARNESSES = {
  ...Object.fromEntries(
    ROOMS.map((room) => [room, fuzzing(room, { game: 6, explain: 6, wide: 3, neighborhood: 2 }[room] ?? 1)]),
  ),
  ...Object.fromEntries(ROOMS.map((room) => [`random-${room}`, random(room)])),
  ...Object.fromEntries(HEARTS.map((room) => [`volume-${room}`, volume(room)])),
  'near-singular-games': {
    command: () => [`${BUILD}/near_singular_games`, ['--games', perMinute(500000), '--seed', seed]],
  },
  api: {
    share: 6,
    command: (seconds) => [node, ['tests/fuzz/api-attack.js', '--seconds', String(seconds), '--seed', seed]],
  },
  memory: { command: () => [node, ['tests/fuzz/capped-memory.js']] },
  soak: { command: () => [node, ['--expose-gc', 'tests/fuzz/soak.js', '--explanations', perMinute(10000)]] },
  // Tests of the other rooms that try more if LINEX_ATTACK is set.
  ...Object.fromEntries(
    ['tests/render/hostile', 'tests/charts/hostile', 'tests/core/model-faults', 'tests/pool/', 'tests/browser/hostile']
      .map((start) => [start, filesIn('tests').filter((file) => isAttackTest(file, start))])
      .filter(([, files]) => files.length > 0)
      .map(([start, files]) => [
        start.split('/')[1],
        { command: () => [node, ['--test', '--test-reporter=tap', ...files]], env: { LINEX_ATTACK: '1' } },
      ]),
  ),
};

/** Whether a test file attacks: hostile data, faults of models, faults of pools. */
function isAttackTest(file, start) {
  return file.startsWith(start) && file.endsWith('.test.js') && (start !== 'tests/pool/' || /fault/.test(file));
}

/** libFuzzer on one room. It keeps what covers new code in build/attack/corpus. */
function fuzzing(room, share) {
  return {
    share,
    command: (seconds) => {
      const corpus = `${RESULTS}/corpus/${room}`;
      mkdirSync(path(corpus), { recursive: true });
      const limits = ['-max_len=1024', '-timeout=60', '-rss_limit_mb=3000', `-max_total_time=${seconds}`];
      const kept = existsSync(path(`tests/fuzz/corpus/${room}`)) ? [`tests/fuzz/corpus/${room}`] : [];
      return [
        `${BUILD}/fuzz_${room}`,
        [...limits, `-seed=${seed}`, '-print_final_stats=1', `-artifact_prefix=${RESULTS}/${room}-`, corpus, ...kept],
      ];
    },
  };
}

/** A count that grows with the length of the run. */
function perMinute(count) {
  return String(Math.round(count * minutes));
}

/** Random bytes under the sanitizers. For the corpus and the first inputs, every allocation fails in turn. */
function random(room) {
  const slow = { kriging: perMinute(500), wide: perMinute(200) };
  const executions = { game: perMinute(50000), explain: perMinute(50000), ...slow }[room] ?? '20000';
  const failures = { game: '1000', explain: '1000', kriging: '200', wide: '50' }[room] ?? '4000';
  return driving(`drive_${room}`, room, ['--executions', executions, '--failures', failures, '--seed', seed]);
}

/** Other random bytes without sanitizers, which is several times as fast: only what the harness checks is found. */
function volume(room) {
  const counts = ['--executions', perMinute(100000), '--failures', '0'];
  return driving(`volume_${room}`, room, [...counts, '--seed', String(Number(seed) + 1)]);
}

/** A program made from fuzz_driver.c, which needs no libFuzzer. libFuzzer prefers inputs that take long. */
function driving(program, room, counts) {
  return {
    command: () => {
      const folder = `tests/fuzz/corpus/${room}`;
      const corpus = existsSync(path(folder)) ? readdirSync(path(folder)).map((name) => `${folder}/${name}`) : [];
      const save = `${RESULTS}/${program}-${Date.now()}`;
      return [`${BUILD}/${program}`, [...counts, '--save', save, ...corpus]];
    },
  };
}

/** The shell runs a command and writes the processor time of it and its children to file 3. Node does not tell it. */
const TIMED = '"$@" 3>&-; code=$?; times >&3; exit $code';

/** Sums what `times` writes: minutes and seconds in user and in system mode, of the shell and of its children. */
function readTimes(text) {
  return [...text.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, min, sec]) => sum + 60 * Number(min) + Number(sec), 0);
}

/** Runs a command, and returns its output, how long it took, and its processor time. */
function runHarness(command, args, env = {}) {
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', TIMED, 'sh', command, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    let output = '';
    let times = '';
    const keep = (text) => (output = (output + text).slice(-(2 ** 22)));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.stdio[3].on('data', (text) => (times += text));
    child.on('error', (error) => resolve({ output: String(error), code: 1, seconds: 0, processor: 0 }));
    child.on('close', (code) => {
      const seconds = (Date.now() - started) / 1000;
      resolve({ output, code: code ?? 1, seconds, processor: readTimes(times) });
    });
  });
}

/** Reads the counts from the output of a harness. */
function readOutcome(output, code) {
  const numberIn = (pattern) => Number(output.match(pattern)?.[1] ?? 0);
  const findings = [...new Set(output.match(/^(FINDING .*|game \d+: .*|not ok .*)$/gm) ?? [])];
  const leaks =
    findings.filter((line) => /released everything|leaks/.test(line)).length + Number(/LeakSanitizer/.test(output));
  const crashes = Number(/ERROR: AddressSanitizer|runtime error:|the worker failed/.test(output));
  const executions =
    numberIn(/stat::number_of_executed_units:\s*(\d+)/) ||
    numberIn(/(\d+) (?:executions|games)/) ||
    numberIn(/^# tests (\d+)/m) ||
    Math.max(0, ...[...output.matchAll(/^#(\d+)\t/gm)].map(([, count]) => Number(count)));
  // A failure that no line explains is a crash.
  return { executions, leaks, crashes: crashes || Number(code !== 0 && findings.length === 0), findings };
}

/**
 * Runs a harness. If a check of a fuzz harness fails, runs it again without this check, to find what is behind it, as
 * long as there is time.
 */
async function runAll(name) {
  const { share = 0, command, env = {} } = HARNESSES[name];
  let left = Math.max(1, Math.round((60 * minutes * share) / (shares || 1)));
  const total = { executions: 0, crashes: 0, leaks: 0, findings: [], seconds: 0, processor: 0 };
  const ignored = [];
  for (;;) {
    const [program, args] = command(left);
    const ran = await runHarness(program, args, { ...env, LINEX_FUZZ_IGNORE: ignored.join(' ') });
    const { output, code, seconds } = ran;
    const told = readOutcome(output, code);
    for (const key of ['executions', 'crashes', 'leaks']) total[key] += told[key];
    total.findings.push(...told.findings);
    total.seconds += seconds;
    total.processor += ran.processor;
    if (told.crashes + told.leaks + told.findings.length > 0) printFindings(told, output, program, args);
    left = Math.round(left - seconds);
    const place = told.findings[0]?.match(/^FINDING (\w+\.c:\d+)/)?.[1];
    if (!place || told.crashes > 0 || ignored.includes(place) || (share > 0 && left < 1)) return total;
    ignored.push(place);
  }
}

/** Prints what was found, and the command that repeats it. */
function printFindings({ findings }, output, program, args) {
  for (const line of findings) console.log(`  ${line.slice(0, 800)}`);
  if (findings.length === 0) console.log(output.split('\n').slice(-40).join('\n'));
  const saved = output.match(/Test unit written to (\S+)/)?.[1] ?? output.match(/the bytes are in (\S+)/)?.[1];
  const given = saved ? [saved, ...(/drive_|volume_/.test(program) ? ['--executions', '0'] : [])] : args;
  console.log(`  again: ${[program, ...given].join(' ')}`);
}

function printTable(rows) {
  const heads = ['harness', 'executions', 'seconds', 'processor', 'crashes', 'leaks', 'findings'];
  const cells = [heads, ...rows.map((row) => heads.map((head) => String(row[head])))];
  const widths = heads.map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  console.log();
  for (const line of cells)
    console.log(line.map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c]))).join('  '));
}

const unknown = (values.only?.split(',') ?? []).filter((name) => !Object.hasOwn(HARNESSES, name));
if (unknown.length > 0 || !(minutes > 0)) {
  console.error(
    unknown.length > 0
      ? `unknown harness: ${unknown.join(', ')}; the harnesses are ${Object.keys(HARNESSES).join(', ')}`
      : `--minutes must be a number above 0, not ${values.minutes}`,
  );
  process.exit(2);
}

ensurePackages();
ensureTools(['cc', 'make', 'cmake', 'emcc', 'clang', 'libfuzzer']);
console.log('== build: wasm, native with libFuzzer and the sanitizers');
buildWasm();
mkdirSync(path(RESULTS), { recursive: true });
cmake('build/attack/native', { flags: ['-DLINEX_FUZZ=ON', `-DCMAKE_C_COMPILER=${findTool('clang')}`] });

const chosen = values.only?.split(',') ?? Object.keys(HARNESSES);
const shares = chosen.reduce((sum, name) => sum + (HARNESSES[name].share ?? 0), 0);
console.log(`== attack: seed ${seed}, ${minutes} minutes`);
const rows = [];
let spent = 0;
for (const name of chosen) {
  const told = await runAll(name);
  const bad = told.crashes + told.leaks + told.findings.length;
  spent += told.processor;
  rows.push({
    harness: name,
    ...told,
    seconds: told.seconds.toFixed(1),
    processor: told.processor.toFixed(1),
    findings: told.findings.length,
    bad,
  });
  console.log(`${bad ? 'FAIL' : 'ok  '} ${name}: ${told.executions} executions in ${told.seconds.toFixed(1)} s`);
}
printTable(rows);
console.log();
for (const room of HEARTS) {
  const own = rows.filter(({ harness }) => [room, `random-${room}`, `volume-${room}`].includes(harness));
  console.log(`${room}: ${own.reduce((sum, { executions }) => sum + executions, 0)} executions`);
}
console.log(`${(spent / 60).toFixed(1)} minutes of processor time`);
process.exit(rows.some(({ bad }) => bad > 0) ? 1 : 0);
