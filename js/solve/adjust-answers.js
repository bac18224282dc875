// Takes noise out of the answers before they are explained: control variates, in WebAssembly files of their own.
import { copyPoints, writeSamples } from './answered-points.js';
import { ADJUSTMENT, SETTINGS } from '../core/border.js';
import { adjustWasm, krigingWasm, masksWasm } from '../core/load.js';
import { withScopeAsync } from '../core/memory.js';
import { runTask } from '../core/run-task.js';
import { isWide, settingsRecord } from './settings.js';

/** Fewer samples are never adjusted, and more features are not bent: see src/kriging. */
const [FEWEST_SAMPLES, MOST_BENT] = [10, 256];
/** Environments that are random parts of the samples: bootstraps, halves and sides. */
const RANDOM_KINDS = [0, 1, 5];

/**
 * The file that adjusts the answers, or undefined if they are explained as they are. The rules are those of
 * linex_adjusting_is_due.
 *
 * @param {import('./settings.js').Settings} settings
 * @param {'rows' | 'masks' | undefined} law  what the law of the samples is about, if it is known
 * @param {number} featureCount
 * @param {number} count  of distinct samples
 */
export function adjustingFile({ adjust, intercept, methodCode, environments }, law, featureCount, count) {
  const random = methodCode === 1 || RANDOM_KINDS.includes(environments.kind);
  if (!law || adjust !== 0 || intercept !== 0 || !random || count < FEWEST_SAMPLES) return undefined;
  const isRows = law === 'rows';
  // More samples are not kriged, and masks of many parts neither.
  const most = isRows ? 600 : featureCount > 128 ? 0 : featureCount > 32 ? 448 : 1200;
  if (count <= most && (isRows || count >= 2 * featureCount)) return isRows ? krigingWasm : masksWasm;
  return isWide(featureCount, count) || featureCount > MOST_BENT ? undefined : adjustWasm;
}

/**
 * Adjusts the answers, in slices.
 *
 * @param {import('../core/memory.js').Scope} scope
 * @param {import('../core/border.js').PlacedPoints} placed  in the memory of `scope`
 * @param {import('./answered-points.js').AnsweredPoints} answered
 * @param {import('./settings.js').Settings} settings
 * @param {{ signal?: AbortSignal, onSlice?: (progress: number) => void }} options
 * @returns {Promise<import('./answered-points.js').Adjustment | undefined>}  undefined if the answers stay as they are
 */
export async function adjustAnswers(scope, placed, answered, settings, { signal, onSlice }) {
  const { featureCount, law, levels, masks, kernelWidth } = placed;
  const { length: count } = answered.answers;
  const { own } = settings.environments;
  const file = adjustingFile(settings, law && (masks ? 'masks' : 'rows'), featureCount, count);
  if (!file) return undefined;
  return withScopeAsync(await file.readyBeside(scope.core), async (there) => {
    const { core } = there;
    const samples = writeSamples(there, copyPoints(there, scope, placed, count), answered, own, { levels });
    const settingsAt = there.putRecord(SETTINGS, settingsRecord(settings, kernelWidth));
    const answers = there.doubles(count);
    const record = there.putRecord(ADJUSTMENT, { answers, ridge: 0, adjusted: 0, gain: 0 });
    // What tells a file from the others is what it does.
    const start = core[/** @type {'linex_wasm_bend_start'} */ (file.signature)];
    // How far it is cannot be told, so it counts as nothing.
    const options = { signal, onSlice: onSlice && (() => onSlice(0)) };
    await runTask(there, (task) => start(samples, settingsAt, record, task), options);
    return { ...there.readRecord(ADJUSTMENT, record), answers: there.getDoubles(answers, count) };
  });
}
