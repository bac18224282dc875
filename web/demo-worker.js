// The worker of the demo page: it runs the models and computes the explanations and games.
//
// It does not import index.js, because it draws nothing and each tab should load only what it needs.
import { solveGame } from '../js/solve/solve-game.js';
import { modelNamed } from './model-loaders.js';

/** The least milliseconds between two partial explanations, so that the page can draw each. */
const PARTIAL_INTERVAL = 120;
/** The most rounds of Algorithm 1 in the chart. */
const MAX_ROUNDS = 300;

/** The running tasks, by id. @type {Map<number, AbortController>} */
const underWay = new Map();

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

/** Returns the options that a tab's model needs. */
async function modelOptions(tab, model) {
  if (tab === 'rows') {
    const { train, columns } = model;
    const { describeTable } = await import('../js/data/table.js');
    return {
      table: await describeTable(
        train.map(({ row }) => row),
        { columns },
      ),
    };
  }
  return model.input ? { input: model.input } : {};
}

/** Explains with LINEX and LIME on the same answers: the model is asked once, and LIME gets the recorded answers. */
async function explainBoth({ tab, model: name, input, options }, { signal, onProgress, onLoad }) {
  const model = await modelNamed(name, onLoad);
  signal.throwIfAborted();
  const answers = [];
  const record = async (batch) => {
    const answer = await model.predict(batch);
    answers.push(answer);
    return answer;
  };
  let next = 0;
  const replay = () => answers[next++];
  const common = { classes: model.classes, ...(await modelOptions(tab, model)), ...options, signal };
  const explain = EXPLAINERS[tab];
  const linex = await explain(input, record, { ...common, keepGame: true, onProgress });
  // Both methods explain the same class, from the same samples.
  const single = { preset: 'paper', sampling: common.sampling ?? 'designed', environments: undefined };
  const limeOptions = { ...common, target: linex.target ?? 'top', method: 'lime', ...single };
  return { linex, lime: await explain(input, replay, limeOptions) };
}

/** Runs the paper's Algorithm 1 on the game, and returns each player's part after each round. */
function traceGame({ game }) {
  if (!game || game.targets[0].length > 60) return null;
  const { trace, converged, rounds } = solveGame({
    ...game,
    solver: 'best-response',
    trace: true,
    maxRounds: MAX_ROUNDS,
  });
  return { trace, converged, rounds, gamma: game.gamma };
}

const TASKS = {
  async explain(request, { signal, post }) {
    let last = 0;
    const onProgress = (progress) => {
      const now = performance.now();
      if (now - last < PARTIAL_INTERVAL && progress.phase === 'model') return;
      const { asked, planned, phase, partial } = progress;
      last = performance.now();
      post({ asked, planned, phase, partial });
    };
    const onLoad = (share) => post({ asked: share, planned: 1, phase: 'load', partial: null });
    const { linex, lime } = await explainBoth(request, { signal, onProgress, onLoad });
    return { linex, lime, gameTrace: traceGame(linex) };
  },

  /** Repeats an explanation with other seeds or for neighboring rows. */
  async repeat(request, { signal, post }) {
    const runs = [];
    for (const [i, change] of request.repeats.entries()) {
      const { linex, lime } = await explainBoth(
        {
          ...request,
          input: { ...request.input, ...change.input },
          options: { ...request.options, ...change.options },
        },
        { signal },
      );
      runs.push({ label: change.label, linex, lime });
      post({ asked: i + 1, planned: request.repeats.length, phase: 'model', partial: null });
    }
    return { runs };
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
    const result = await TASKS[task](request, { signal: controller.signal, post });
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
