// The words and numbers of the dashboard; it needs no page, so that tests can run it in Node.
import { applicants, columns, formats, scoreApplicant } from './loans.js';

/** The score that is needed for approval. */
export const NEEDED = 0.5;

/** The scores of all applicants, from 0 to 1. */
export const scores = applicants.map(scoreApplicant);

/** @param {number} index */
export const isApproved = (index) => scores[index] >= NEEDED;

/** @param {number} index @returns {string}  the name of an applicant on the page */
export const nameOf = (index) => `A-${String(index + 1).padStart(3, '0')}`;

/** How scores and effects on them are written. */
export const scoreFormat = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

/** @param {number} score */
export const writeScore = (score) => score.toFixed(2);

const writers = columns.map((column) => {
  const { unit, ...format } = formats[column] ?? {};
  if (format.style === 'unit') format.unit = unit;
  const { format: write } = new Intl.NumberFormat('en', format);
  return (number) => write(number) + (unit && format.style !== 'unit' ? ` ${unit}` : '');
});

/** Writes a value of an applicant with its unit. @param {number | string} value @param {number} column @returns {string} */
export const writeValue = (value, column) => (typeof value === 'number' ? writers[column](value) : value);

/** Begins with a capital letter. @param {string} text */
export const capitalize = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Formats a number with its sign, with a true minus sign. @param {number} value @returns {string} */
export function signed(value) {
  const digits = writeScore(Math.abs(value));
  return digits === '0.00' ? digits : (value < 0 ? '−' : '+') + digits;
}

/**
 * How the scores of recourse are written: with more decimals than others if a declined try would look as if it were enough.
 *
 * @param {{ closest: { prediction: number } | null }} recourse
 */
export const recourseFormat = ({ closest }) =>
  closest && writeScore(closest.prediction) === writeScore(NEEDED) ? undefined : scoreFormat;

/** Says what was decided. The pictures say why. @param {number} score */
export const describeDecision = (score) =>
  `${score >= NEEDED ? 'Approved' : 'Declined'}: the score is ${writeScore(score)}, and ${writeScore(NEEDED)} is needed.`;

/** The texts that all pictures share: a score is a number that an officer knows, an answer is not. */
const WORDS = {
  // The page says what was decided.
  likelier: '',
  almostAsLikely: '',
  lessLikely: '',
  forTarget: 'for approval',
  againstTarget: 'against approval',
  raises: 'raises the score',
  lowers: 'lowers the score',
  withAverage: 'Compared with the average applicant',
  nothingSure: 'Nothing clearly raises or lowers the score.',
  unsureSide: 'Unsure: it may raise or lower the score.',
  poorFit: 'This explains {explained} of what moves the score here: too little to rely on.',
  farReference: 'Only a guess, because the average applicant is very different: {names}.',
};

const CHART_WORDS = {
  ...WORDS,
  theAnswer: 'the score',
  // The fit holds near one applicant. At the average applicant it is an estimate, which differs from fit to fit.
  averageRow: 'average applicant, estimated',
  answerAxisFor: 'score',
  notExplained: 'not explained',
  answerAfter: 'Score after it',
};

/**
 * The texts of the bars: the question that was decided.
 *
 * @param {{ prediction: number }} explanation
 */
export const barLabels = ({ prediction }) => ({
  ...WORDS,
  why: prediction >= NEEDED ? 'Why approved?' : 'Why declined?',
  whatIf: 'What would move the score?',
});

/** The texts of the waterfall. @param {number} index  of the applicant */
export const waterfallLabels = (index) => ({
  ...CHART_WORDS,
  why: `How does the score come to ${writeScore(scores[index])}?`,
  startToEnd: `From an estimated {start} for the average applicant to {end} for ${nameOf(index)}.`,
  thisRow: nameOf(index),
});

/** The texts of a comparison. @param {readonly [number, number]} indices  of two applicants */
export const comparisonLabels = ([from, to]) => ({
  ...CHART_WORDS,
  comparisonTitleFor: `Why does ${nameOf(to)} score {to}, and ${nameOf(from)} {from}?`,
  answerChange: `From the {start} of ${nameOf(from)} to the {end} of ${nameOf(to)}.`,
  sameAnswer: 'Both score {start}.',
});

/** The texts of recourse. */
export const recourseLabels = {
  ...CHART_WORDS,
  recourseReach: 'What would lead to approval?',
  wouldReach: 'By this scorecard, just enough with {changes}, if nothing else changes. That is no promise.',
  noChangeOf: 'No change of {columns} alone',
  notReached: '{change} was found that leads to approval: {reason}.',
  noDirection: 'what may change has no clear effect here',
  noRoom: `no value that any of the ${applicants.length} applicants has is enough`,
  wouldBe: '{column} {to} instead of {from}',
  closestTry: 'The closest try is still declined: {changes}.',
  threshold: '{value} is needed',
  wantedPart: 'The thick part of the last line: where the score has to be.',
  questions: 'The model was asked {total} times to find and check this.',
};

/** The texts of the pictures of all applicants. */
export const summaryLabels = {
  ...CHART_WORDS,
  importanceTitle: 'Which facts move the scores most?',
  importanceAxis: 'average size of the effect on the score',
  mattersMost: 'Most of all {name}, which moves the score by {size} on average.',
  nothingMatters: 'Nothing moves the score.',
  signCounts: 'raises the score of {raises}, lowers that of {lowers}, unsure for {unsure}, no effect for {none}',
  summaryTitle: 'Which way does each fact move the score?',
  contributionAxis: '← lowers · effect on the score · raises →',
  dotIsRow: 'Each dot is one applicant.',
  dotsAreRows: 'A full dot stands for {count} applicants with similar effects, a smaller one for fewer.',
  columnsAreCut: 'A column between two lines has more applicants than fit.',
  widestSpread: 'Most of all {name}.',
  highRaises: 'High values raise the score, low values lower it.',
  highLowers: 'High values lower the score, low values raise it.',
};

/**
 * Names a column of numbers with the side of the average that has the effect: a name alone does not say whether much or little of
 * it helps. A column of levels, or one that works both ways, has only its name.
 *
 * @param {string} column
 * @param {number} sign  of the effect
 * @param {readonly any[]} explanations  of the group
 */
function sideOf(column, sign, explanations) {
  const values = explanations
    .flatMap(({ features }) => features.filter(({ name, contribution }) => name === column && sign * contribution > 0))
    .map(({ value }) => value);
  if (typeof values[0] !== 'number') return column;
  const place = columns.indexOf(column);
  const mean = applicants.reduce((sum, row) => sum + row[place], 0) / applicants.length;
  const above = values.filter((value) => value > mean).length / values.length;
  return above > 0.9 ? `${column} above average` : above < 0.1 ? `${column} below average` : column;
}

/**
 * Says what matters for the approved and for the declined, from a summary with the groups "approved" and "declined".
 *
 * @param {import('linex').Summary} summary
 * @param {Record<string, readonly any[]>} [explanations]  of each group
 */
export function describeGroups({ groups = [] }, explanations = {}) {
  const leading = (name, sign) => {
    const { features = [] } = groups.find((group) => group.name === name) ?? {};
    // Only averages whose likely range does not hold zero.
    const sure = features.filter(
      ({ contribution, contributionInterval: ends }) =>
        sign * contribution > 0 && (!ends || sign * ends[sign > 0 ? 0 : 1] > 0),
    );
    const largest = Math.max(0, ...sure.map(({ contribution }) => Math.abs(contribution)));
    const names = sure
      .filter(({ contribution }) => Math.abs(contribution) >= largest / 2)
      .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
      .map((feature) => sideOf(feature.name, sign, explanations[name] ?? []));
    return names.length > 0 ? new Intl.ListFormat('en').format(names) : 'nothing';
  };
  return `What speaks most for the approved: ${leading('approved', 1)}. What speaks most against the declined: ${leading('declined', -1)}.`;
}
