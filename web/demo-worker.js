// All computing of the demo page: models, explanations, games. The page only draws.
// Not from index.js: a worker draws nothing, and each tab loads only what explains it.
import { solveGame } from '../js/explain/solve-game.js';
import { modelNamed } from './demo-models.js';

/** Between two partial explanations, milliseconds: a page draws no faster. */
const PACE = 120;
/** Rounds of Algorithm 1 that are worth a chart. */
const ROUNDS = 300;

/** What is under way, by number. @type {Map<number, AbortController>} */
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

/** What a tab's model adds to the options. */
async function ownOptions(tab, model) {
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

/**
 * LINEX and LIME on the same answers: the model is asked once, and its answers are given again to the second.
 */
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
  const common = { classes: model.classes, ...(await ownOptions(tab, model)), ...options, signal };
  const explain = EXPLAINERS[tab];
  const linex = await explain(input, record, { ...common, keepGame: true, onProgress });
  // The same class for both, whatever the first found on top.
  const plain = { ...common, target: linex.target ?? 'top', method: 'lime', games: 1, agreement: 0 };
  return { linex, lime: await explain(input, replay, plain) };
}

/** The paper's Algorithm 1 at the game that was played: where every player stood after each round. */
function watch({ game }) {
  if (!game || game.targets[0].length > 60) return null;
  const { trace, converged, rounds } = solveGame({ ...game, solver: 'best-response', trace: true, maxRounds: ROUNDS });
  return { trace, converged, rounds, gamma: game.gamma };
}

const TASKS = {
  async explain(request, { signal, post }) {
    let last = 0;
    const onProgress = (progress) => {
      const now = performance.now();
      if (now - last < PACE && progress.phase === 'model') return;
      const { asked, planned, phase, partial } = progress;
      last = performance.now();
      post({ asked, planned, phase, partial });
    };
    const onLoad = (share) => post({ asked: share, planned: 1, phase: 'load', partial: null });
    const { linex, lime } = await explainBoth(request, { signal, onProgress, onLoad });
    return { linex, lime, watched: watch(linex) };
  },

  /** The same question five times: with other seeds, or about the rows next to it. */
  async again(request, { signal, post }) {
    const runs = [];
    for (const [i, change] of request.changes.entries()) {
      const { linex, lime } = await explainBoth(
        {
          ...request,
          input: { ...request.input, ...change.input },
          options: { ...request.options, ...change.options },
        },
        { signal },
      );
      runs.push({ label: change.label, linex, lime });
      post({ asked: i + 1, planned: request.changes.length, phase: 'model', partial: null });
    }
    return { runs };
  },

  /** What the page must know of a model before it can show a tab. */
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
