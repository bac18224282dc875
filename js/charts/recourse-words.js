// What recourse says: one or two sentences about what would change the answer, or why nothing was found.
import { answersApart, writeChanged, writeThreshold } from '../render/numbers.js';
import { plain } from '../render/wording.js';

/**
 * @typedef {import('../measure/recourse-result.js').Recourse} Recourse
 * @typedef {import('../measure/recourse-result.js').Change} Change
 * @typedef {import('./chart-words.js').ChartWords} ChartWords
 */

/** The question, and what is said if something has to change, if nothing has to, and if nothing was found. */
const TEXTS = /** @type {const} */ ({
  class: {
    above: ['recourseReach', 'wouldReach', 'isReached', 'notReached'],
    below: ['recourseLeave', 'wouldLeave', 'isLeft', 'notLeft'],
  },
  score: {
    above: ['recourseAbove', 'wouldRise', 'isAbove', 'notAbove'],
    below: ['recourseBelow', 'wouldFall', 'isBelow', 'notBelow'],
  },
});

/** Why nothing was found. */
const REASONS = /** @type {const} */ ({
  unsure: 'noDirection',
  range: 'noRoom',
  implausible: 'tooUnusual',
  limit: 'searchLimit',
});

/**
 * Says what would change the answer.
 *
 * @param {Recourse} recourse  checked
 * @param {ChartWords} words
 * @returns {{ title: string, sentence: string }}
 */
export function sayRecourse(recourse, words) {
  const { found, changes, threshold, side, reason, closest, queries } = recourse;
  const target = words.target(recourse);
  const values = {
    target,
    answer: target ? words.say('theAnswerFor', { target }) : words.labels.theAnswer,
    threshold:
      threshold === null ? words.labels.bestOther : writeThreshold(threshold, words.locale, words.answerFormat),
    changes: sayChanges(changes, words),
    reason: reason && reason !== 'already' ? words.say(REASONS[reason], { search: words.whole(queries.search) }) : '',
  };
  const [title, change, nothing, none] = TEXTS[threshold === null && target ? 'class' : 'score'][side];
  const first = words.say(found ? (changes.length > 0 ? change : nothing) : none, values);
  const tried = found ? [] : (closest?.changes ?? []);
  const second = tried.length > 0 ? words.say('closestTry', { changes: sayChanges(tried, words) }) : '';
  const sentences = [first, second].filter(Boolean).map((sentence) => words.capitalize(sentence));
  return { title: words.say(title, values), sentence: sentences.join(' ') };
}

/** @param {readonly Change[]} changes @param {ChartWords} words */
function sayChanges(changes, words) {
  const texts = changes.map((change) => {
    const [from, to] = [change.from, change.to].map((value) => valueOf(value, change, words));
    return words.say('wouldBe', { column: plain(change.column), from, to });
  });
  return words.list(texts);
}

/**
 * Writes a value of a column that changes.
 *
 * @param {Change['from']} value
 * @param {Change} change
 * @param {ChartWords} words
 */
export function valueOf(value, { change, format }, words) {
  return typeof value === 'number' ? writeChanged(value, change, words.locale, format) : words.value(value);
}

/** Says how often the model was asked. @param {Recourse} recourse @param {ChartWords} words */
export function sayQueries({ queries: { total, explain, search } }, words) {
  return words.say('questions', {
    total: words.whole(total),
    explain: words.whole(explain),
    search: words.whole(search),
  });
}

/**
 * The answers and what they have to cross, in numbers and in words. With two classes whose answers always have the same sum, that
 * is half of the sum; otherwise, it is the highest answer of the other classes.
 *
 * @param {Recourse} recourse
 * @param {ChartWords} words
 * @returns {{ from: number, to: number, limit?: { at: number, text: string }, write: (value: number) => string }}
 */
export function answersOf({ threshold, rival, prediction, closest }, words) {
  const { locale, answerFormat } = words;
  const from = prediction.from;
  const to = prediction.to ?? closest?.prediction ?? from;
  const line = threshold === null ? lineAmongClasses({ from, to }, rival, closest) : { at: threshold, fixed: true };
  const write = answersApart([from, to], line?.at, locale, answerFormat);
  if (!line) return { from, to, write };
  const value = threshold === null ? write(line.at) : writeThreshold(threshold, locale, answerFormat);
  return {
    ...{ from, to, write },
    limit: { at: line.at, text: words.say(line.fixed ? 'threshold' : 'bestOtherAt', { value }) },
  };
}

/**
 * @param {{ from: number, to: number }} target
 * @param {Recourse['rival']} rival
 * @param {Recourse['closest']} closest
 * @returns {{ at: number, fixed: boolean } | undefined}  fixed: whether it does not depend on the row
 */
function lineAmongClasses({ from, to }, rival, closest) {
  if (!rival) return undefined;
  const other = rival.to ?? closest?.rival;
  if (typeof other !== 'number') return { at: rival.from, fixed: false };
  // Halves, because the sum of huge numbers overflows.
  const [before, after] = [from / 2 + rival.from / 2, to / 2 + other / 2];
  return Math.abs(after - before) < 1e-9 * Math.abs(before) ? { at: after, fixed: true } : { at: other, fixed: false };
}
