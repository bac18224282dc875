// `npm run bench:wide`: wide games on real data: how many are certified, how long they take beside LIME, how well they fit.
//
//     npm run bench:wide                          100 texts, 3 x 20 garments, 8 sizes
//     npm run bench:wide -- --texts 10 --garments 3
//     npm run bench:wide -- --library <folder>    with the js/ of another checkout, to compare
//     npm run bench:wide -- --write               everything, into web/docs/ideas/tables/wide.md
//
// It needs the film reviews and the garments (LINEX_DATA, or ../shared/data next to the project).
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as ort from 'onnxruntime-web';
import { loadGarments } from '../../web/models/garments.js';
import { loadReviewNetwork } from '../../web/models/reviews-network.js';
import { dataFolder, hasFiles, readIdx, readText } from '../paper/sets/data.js';
import { dice } from '../support/dice.js';

const FILES = ['rotten-tomatoes.tsv', 'fmnist-test-images-idx3-ubyte.gz'];
const GROWTH = [32, 64, 128, 256, 512, 1024, 1536, 2048];

const { values } = parseArgs({
  options: {
    texts: { type: 'string', default: '100' },
    garments: { type: 'string', default: '20' },
    library: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
/** Everything that was printed. @type {string[]} */
const lines = [];
const print = (line) => {
  lines.push(line);
  console.log(line);
};
const folder = dataFolder();
if (!hasFiles(folder, FILES)) {
  console.log(`skipped: ${FILES.join(' and ')} are missing; set LINEX_DATA to their folder`);
  process.exit(0);
}
const entry = values.library ? path.resolve(values.library, 'js/index.js') : undefined;
const { explainSamples, load } = await import(entry ? pathToFileURL(entry).href : '../../js/index.js');
ort.env.wasm.numThreads = 1;
await load();

/** Masks as LIME draws them for words: a random number of parts is removed, then random ones. The first is full. */
function wordMasks(random, count, parts) {
  return Array.from({ length: count }, (_, i) => {
    const mask = new Array(parts).fill(1);
    const order = mask.map((_, c) => c);
    const removed = i === 0 ? 0 : 1 + random.below(parts);
    for (let j = 0; j < removed; j++) {
      const at = j + random.below(parts - j);
      [order[j], order[at]] = [order[at], order[j]];
      mask[order[j]] = 0;
    }
    return mask;
  });
}

/** Masks as LIME draws them for images: each part is removed with probability 1/2. */
const pixelMasks = (random, count, parts) =>
  Array.from({ length: count }, (_, i) => Array.from({ length: parts }, () => (i === 0 || random.below(2) ? 1 : 0)));

/** LIME's weights by cosine distance. */
const weigh = (masks, scale, width) =>
  masks.map((mask) => {
    const distance = scale * (1 - Math.sqrt(mask.reduce((a, b) => a + b, 0) / mask.length));
    return Math.sqrt(Math.exp(-(distance ** 2) / width ** 2));
  });

/** The weighted R² of an explanation on other samples, with the best intercept for them. */
function heldOut(explanation, { masks, answers, weights }) {
  const slopes = explanation.weights;
  const rest = masks.map((mask, i) => answers[i] - mask.reduce((sum, one, c) => sum + one * slopes[c], 0));
  const total = weights.reduce((a, b) => a + b, 0);
  const mean = (list) => list.reduce((sum, value, i) => sum + weights[i] * value, 0) / total;
  const spread = (list) => {
    const middle = mean(list);
    return list.reduce((sum, value, i) => sum + weights[i] * (value - middle) ** 2, 0);
  };
  return 1 - spread(rest) / spread(answers);
}

/** Processor time in ms, because other programs may run beside this one. */
function timed(work) {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1000];
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** Explains one set of answered masks by LINEX and by LIME. */
function study({ masks, answers, weights }, other, options = {}) {
  const samples = { points: masks, predictions: answers, weights };
  const common = { features: 'all', draws: 0, target: 0, ...options };
  const limeTimes = [];
  const linexTimes = [];
  let lime, linex, time;
  // The first turn does not count: it grows the memory, and the engine compiles what is called often.
  for (let turn = 0; turn < 4; turn++) {
    [lime, time] = timed(() => explainSamples(samples, { ...common, method: 'lime' }));
    if (turn > 0) limeTimes.push(time);
    [linex, time] = timed(() => explainSamples(samples, common));
    if (turn > 0) linexTimes.push(time);
  }
  const [limeTime, linexTime] = [median(limeTimes), median(linexTimes)];
  const { converged, residual, medianResidual = 0 } = linex.equilibrium;
  const r2 = { linex: heldOut(linex, other), lime: heldOut(lime, other) };
  return { certified: converged && residual <= 1e-9, residual, medianResidual, linexTime, limeTime, r2 };
}

function summarize(name, found) {
  const certified = found.filter((one) => one.certified).length;
  const number = (value) => value.toFixed(2);
  const time = (key) => median(found.map((one) => one[key])).toFixed(0);
  const ratio = median(found.map(({ linexTime, limeTime }) => linexTime / limeTime));
  const worst = Math.max(...found.map(({ linexTime, limeTime }) => linexTime / limeTime));
  const r2 = (key) => number(median(found.map((one) => one.r2[key])));
  const cells = [name, `${certified} of ${found.length}`, `${time('linexTime')} ms`, `${time('limeTime')} ms`];
  print(`| ${[...cells, number(ratio), number(worst), r2('linex'), r2('lime')].join(' | ')} |`);
}

/** Texts of a given number of words, made of reviews that the network was not trained on. */
function longText(random, words) {
  const lines = readText(folder, FILES[0]).split('\n').slice(1).filter(Boolean);
  const tested = lines.filter((_, i) => i % 5 === 4).map((line) => line.split('\t')[1]);
  const taken = [];
  while (taken.length < words) taken.push(...tested[random.below(tested.length)].split(' '));
  return taken.slice(0, words);
}

async function answerTexts(predict, words, masks) {
  const answers = [];
  for (let first = 0; first < masks.length; first += 100) {
    const batch = masks.slice(first, first + 100).map((mask) => words.filter((_, c) => mask[c]).join(' '));
    answers.push(...(await predict(batch)).map(([, positive]) => positive));
  }
  return answers;
}

async function studyTexts() {
  const { predict } = await loadReviewNetwork(ort);
  const random = dice(12);
  const found = [];
  for (let i = 0; i < Number(values.texts); i++) {
    const words = longText(random, Math.round(200 * 10 ** random.uniform()));
    const sets = [];
    for (const count of [500, 500]) {
      const masks = wordMasks(random, count, words.length);
      sets.push({ masks, answers: await answerTexts(predict, words, masks), weights: weigh(masks, 100, 25) });
    }
    found.push(study(...sets));
  }
  summarize('texts of 200 to 2,000 words, n = 500', found);
}

async function studyGarments() {
  const { predict } = await loadGarments(ort);
  const pictures = readIdx(folder, FILES[1]).data;
  const random = dice(28);
  const ridge = values.library ? { ridge: 0.001 } : {};
  for (const count of [100, 500, 1000]) {
    const found = [];
    for (let i = 0; i < Number(values.garments); i++) {
      const picture = pictures.subarray(784 * (7 * i + 3), 784 * (7 * i + 4));
      const mean = picture.reduce((a, b) => a + b, 0) / 784;
      const sets = [];
      let top;
      for (const samples of [count, 500]) {
        const masks = pixelMasks(random, samples, 784);
        const data = Float32Array.from({ length: samples * 784 }, (_, j) => {
          return (masks[Math.floor(j / 784)][j % 784] ? picture[j % 784] : mean) / 255;
        });
        const answers = await predict({ data, shape: [samples, 1, 28, 28] });
        top ??= answers[0].indexOf(Math.max(...answers[0]));
        sets.push({ masks, answers: answers.map((row) => row[top]), weights: weigh(masks, 1, 0.25) });
      }
      found.push(study(...sets, ridge));
    }
    summarize(`garments, 784 pixels, n = ${count}`, found);
  }
}

/** The times as the number of features doubles, with 500 samples of a curved model. */
function studyGrowth() {
  print('\n| features, n = 500 | default | one game of two bootstraps | LIME |');
  print('|---|---|---|---|');
  for (const size of GROWTH) {
    const random = dice(size);
    const slopes = Array.from({ length: size }, random.normal);
    const answer = (mask) => Math.tanh(mask.reduce((sum, one, c) => sum + one * slopes[c], 0) / Math.sqrt(size));
    const masks = wordMasks(random, 500, size);
    const set = { masks, answers: masks.map(answer), weights: weigh(masks, 100, 25) };
    const [usual, single] = [study(set, set), study(set, set, { preset: 'paper' })];
    const times = [usual.linexTime, single.linexTime, usual.limeTime];
    print(`| ${[String(size), ...times.map((time) => `${time.toFixed(1)} ms`)].join(' | ')} |`);
  }
}

print('| games | certified at 1e-9 | LINEX | LIME | ratio | worst | held-out R², LINEX | held-out R², LIME |');
print('|---|---|---|---|---|---|---|---|');
await studyTexts();
await studyGarments();
studyGrowth();
if (values.write) {
  const head = [
    '# Wide games',
    '',
    'Written by `npm run bench:wide -- --write`. LINEX has its default settings without draws; times are processor time. LIME is ours, with the same ridge and the same samples. Held-out R² is measured on 500 other samples.',
    '',
  ];
  const page = new URL('../../web/docs/ideas/tables/wide.md', import.meta.url);
  writeFileSync(page, `${[...head, ...lines].join('\n')}\n`);
}
