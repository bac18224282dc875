// The worker of the demo page: it runs the models and computes the explanations, curves and games.
//
// It does not import index.js, because it draws nothing and each tab should load only what it needs.
import '../js/wasm-files.js';
import { changeOfWeights } from './change-of-weights.js';
import { modelNamed } from './model-loaders.js';

/** The least milliseconds between two partial explanations, so that the page can draw each. */
const PARTIAL_INTERVAL = 120;
/** The most rounds of Algorithm 1 in the chart, and the most features of a game that is kept for it. */
const [MAX_ROUNDS, MAX_PLAYED] = [300, 60];
/** The most rows of SHAP's background: a question about a coalition is asked for each of them. */
const BACKGROUND_ROWS = 20;

/** The running tasks, by id. @type {Map<number, AbortController>} */
const underWay = new Map();
/** What the last explanation of the page left behind: its answers, and its game. @type {{ id: number, answers: any[], game: any }} */
let last = { id: -1, answers: [], game: null };

const EXPLAINERS = {
  async words({ text }, predict, options) {
    const { explainText } = await import('../js/explain/explain-text.js');
    return explainText(text, predict, { caseSensitive: false, ...options });
  },
  async garments({ image }, predict, options) {
    const { explainImage } = await import('../js/explain/explain-image.js');
    return explainImage(image, predict, options);
  },
  async photo(input, predict, options) {
    return EXPLAINERS.garments(input, predict, options);
  },
  async rows({ row }, predict, options) {
    const { explainRow } = await import('../js/explain/explain-row.js');
    return explainRow(row, predict, options);
  },
};

/** The description of each model's table, and MAPLE's forest, made on first use. @type {WeakMap<object, any>} */
const tables = new WeakMap();
const leaves = new WeakMap();

async function tableOf(model) {
  if (!tables.has(model)) {
    const { describeTable } = await import('../js/data/table.js');
    const rows = model.train.map(({ row }) => row);
    const formats = Object.fromEntries(model.columns.map((name) => [name, { unit: 'cm' }]));
    tables.set(model, await describeTable(rows, { columns: model.columns, formats }));
  }
  return tables.get(model);
}

async function leavesOf(model, table) {
  if (!leaves.has(model)) {
    const { forestNeighborhood } = await import('../js/neighborhood/forest-neighborhood.js');
    const responses = model.predict(model.train.map(({ row }) => row));
    leaves.set(model, await forestNeighborhood(table, responses));
  }
  return leaves.get(model);
}

/** Returns the options that a tab's model and the method need. */
async function modelOptions(tab, model, method) {
  if (tab !== 'rows') return model.input ? { input: model.input } : {};
  const table = await tableOf(model);
  if (method === 'maple') return { table, neighborhood: await leavesOf(model, table) };
  if (method !== 'shap') return { table };
  // Every so many rows: the training rows are in random order.
  const step = Math.ceil(model.train.length / BACKGROUND_ROWS);
  return { table, background: model.train.filter((_, i) => i % step === 0).map(({ row }) => row) };
}

/** Explains an input with one method. */
async function explainOne({ tab, model: name, input, options }, { signal, onProgress, onLoad, ask } = {}) {
  const model = await modelNamed(name, onLoad);
  signal?.throwIfAborted();
  const given = { classes: model.classes, ...(await modelOptions(tab, model, options.method)), ...options, signal };
  return EXPLAINERS[tab](input, ask?.(model.predict) ?? model.predict, { ...given, ...(onProgress && { onProgress }) });
}

/** Reports progress, but not so often that the page could not draw. */
function sparingly(post) {
  let reported = 0;
  return ({ asked, planned, phase, partial }) => {
    if (performance.now() - reported < PARTIAL_INTERVAL && phase === 'model') return;
    // Reading `partial` computes it.
    post({ asked, planned, phase, partial: partial && withoutGame(partial) });
    reported = performance.now();
  };
}

/** Answers with what is kept, then asks the model; records all answers. */
const replaying = (predict, kept, answers) => async (batch) => {
  const answer = kept.shift() ?? (await predict(batch));
  answers.push(answer);
  return answer;
};

/** The answers of an earlier explanation, if they are still there. */
const answersTo = (id) => (last.id === id ? [...last.answers] : []);

const withoutGame = ({ game: _, ...explanation }) => explanation;
const hasGame = ({ method = 'linex' }) => method === 'linex';

const TASKS = {
  /** Explains an input, and keeps its answers and its game. */
  async explain(request, { id, signal, post }) {
    const answers = [];
    const ask = (predict) => replaying(predict, [], answers);
    const onLoad = (share) => post({ asked: share, planned: 1, phase: 'load', partial: null });
    const options = { ...request.options, ...(hasGame(request.options) && { keepGame: true }) };
    const onProgress = sparingly(post);
    const explanation = await explainOne({ ...request, options }, { signal, onProgress, onLoad, ask });
    last = { id, answers, game: explanation.game ?? null };
    return { id, explanation: withoutGame(explanation) };
  },

  /** Explains an input again from the answers of an earlier explanation, or asks if they are no longer there. */
  async again({ answersOf, ...request }, { signal }) {
    const ask = (predict) => replaying(predict, answersTo(answersOf), []);
    return { explanation: await explainOne(request, { signal, ask }) };
  },

  /** Explains the answers for the classes with the largest answers, from the answers of an earlier explanation. */
  async targets({ answersOf, most, ...request }, { signal }) {
    const { classes } = await modelNamed(request.model);
    const ask = (predict) => replaying(predict, answersTo(answersOf), []);
    const options = { ...request.options, target: classes };
    const explanations = await explainOne({ ...request, options }, { signal, ask });
    return { explanations: [...explanations].sort((a, b) => b.prediction - a.prediction).slice(0, most) };
  },

  /**
   * Repeats an explanation with other seeds or for neighboring rows, with several variants of the options. With `share`, the
   * variants use the same samples, so only the first one asks the model.
   */
  async repeat({ repeats, variants, share = false, ...request }, { signal, post }) {
    const planned = repeats.length * Object.keys(variants).length;
    let asked = 0;
    for (const { label, input, options } of repeats) {
      let answers = [];
      for (const [key, variant] of Object.entries(variants)) {
        const changed = {
          ...request,
          input: { ...request.input, ...input },
          options: { ...request.options, ...variant, ...options },
        };
        const kept = share ? [...answers] : [];
        answers = [];
        const ask = (predict) => replaying(predict, kept, answers);
        const explanation = await explainOne(changed, { signal, ask });
        post({ asked: ++asked, planned, phase: 'model', partial: null, run: { key, label, explanation } });
      }
    }
    return { planned };
  },

  /** Measures how much the weights change between seeds, for growing numbers of samples. */
  async curve({ sizes, seeds, variants, ...request }, { signal, post }) {
    const planned = sizes.length * Object.keys(variants).length;
    let asked = 0;
    for (const samples of sizes)
      for (const [key, variant] of Object.entries(variants)) {
        const runs = [];
        for (const seed of seeds) {
          const options = { ...request.options, ...variant, samples, seed };
          runs.push([...(await explainOne({ ...request, options }, { signal })).weights]);
        }
        const point = { key, samples, change: changeOfWeights(runs) };
        post({ asked: ++asked, planned, phase: 'model', partial: null, point });
      }
    return { planned };
  },

  /** Runs the paper's Algorithm 1 on the game of an explanation, and returns each player's part after each round. */
  async game({ gameOf }) {
    const { game } = last;
    if (last.id !== gameOf || !game || game.targets[0].length > MAX_PLAYED) return null;
    const [{ load }, { solveGame }] = await Promise.all([
      import('../js/core/load.js'),
      import('../js/solve/solve-game.js'),
    ]);
    await load();
    const { trace, converged, rounds } = solveGame({
      ...game,
      ...{ solver: 'best-response', trace: true, maxRounds: MAX_ROUNDS },
    });
    return { trace, converged, rounds, gamma: game.gamma };
  },

  /** Returns what the page needs to know about a model to show its tab. */
  async describe({ model: name }) {
    const { classes, columns, test, accuracy } = await modelNamed(name);
    return { classes, columns, rows: test?.map(({ row, label }) => ({ row, label })), accuracy };
  },
};

self.addEventListener('message', async ({ data: { id, task, cancel, ...request } }) => {
  if (cancel) return underWay.get(id)?.abort(new DOMException('canceled', 'AbortError'));
  const controller = new AbortController();
  underWay.set(id, controller);
  const post = (progress) => self.postMessage({ id, progress });
  try {
    const result = await TASKS[task](request, { id, signal: controller.signal, post });
    self.postMessage({ id, result });
  } catch (error) {
    self.postMessage({
      id,
      error: { name: error?.name ?? 'Error', message: error?.message ?? String(error), code: error?.code },
    });
  } finally {
    underWay.delete(id);
  }
});
