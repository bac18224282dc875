// 200 invented loan applicants, and a scorecard that judges them.
//
// Both are the same on every machine, because only + - * /, comparisons and rounding are used. Math.exp is not used,
// because its last digit depends on the engine.

export const columns = ['income', 'amount', 'age', 'time in job', 'late payments', 'home', 'purpose'];
export const categorical = ['home', 'purpose'];
export const classes = ['declined', 'approved'];
const dollars = { style: 'currency', currency: 'USD', maximumFractionDigits: 0, useGrouping: true };
const [years, months] = ['year', 'month'].map((unit) => ({ style: 'unit', unit, unitDisplay: 'long' }));
/** How numbers are written: each with its unit. Late payments are the months in which one was missed. */
export const formats = {
  ...{ income: dollars, amount: dollars, age: years, 'time in job': years, 'late payments': months },
};

const HOMES = ['rent', 'mortgage', 'own'];
const PURPOSES = ['car', 'repairs', 'business', 'debts'];

/** Returns a generator of numbers from 0 to below 1. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Draws one applicant at random. @param {() => number} random */
function drawApplicant(random) {
  // The mean of three uniform numbers is close to a bell curve.
  const bell = () => (random() + random() + random()) / 3;
  const age = Math.round(20 + 50 * bell());
  const employed = Math.round(random() * Math.min(30, age - 19));
  const income = 500 * Math.round((13000 + 62000 * bell() * bell() + 500 * employed) / 500);
  const amount = 500 * Math.round((2000 + income * (0.1 + 0.9 * random() * random())) / 500);
  const luck = random();
  const late = luck < 0.58 ? 0 : luck < 0.78 ? 1 : luck < 0.9 ? 2 : luck < 0.97 ? 3 : 4;
  const settled = bell() + (age - 45) / 120;
  const home = HOMES[settled < 0.44 ? 0 : settled < 0.6 ? 1 : 2];
  return [income, amount, age, employed, late, home, PURPOSES[Math.floor(random() * PURPOSES.length)]];
}

/** The rows of the table, in the order of `columns`. */
export const applicants = (() => {
  const random = generator(20);
  return Object.freeze(Array.from({ length: 200 }, () => Object.freeze(drawApplicant(random))));
})();

/** Returns e to the power of x, close enough for a scorecard, as (1 + x / 1024) to the power of 1024. */
function exp(x) {
  let power = 1 + x / 1024;
  for (let i = 0; i < 10; i++) power *= power;
  return power;
}

const between = (least, value, most) => Math.max(least, Math.min(most, value));
const HOME_POINTS = { rent: -0.35, mortgage: 0.3, own: 0.55 };
const PURPOSE_POINTS = { car: 0.25, repairs: 0.4, business: -0.45, debts: -0.3 };

/**
 * The model: a sum of points, some of which depend on each other. A late payment costs more if the loan is large for the
 * income. A business loan costs more after a short employment. A very low or high age costs a little.
 *
 * @param {readonly (number | string)[]} applicant
 * @returns {number}  the probability that the loan is paid back
 */
export function scoreApplicant([income, amount, age, employed, late, home, purpose]) {
  const burden = between(0, amount / income, 2);
  const points =
    0.2 +
    between(-1.4, (income - 36000) / 14000, 1.4) -
    2.6 * (burden - 0.35) +
    between(0, employed, 12) * 0.07 -
    late * (0.3 + 0.9 * burden) +
    HOME_POINTS[home] +
    PURPOSE_POINTS[purpose] -
    (purpose === 'business' && employed < 4 ? 0.6 : 0) -
    (age < 25 || age > 66 ? 0.25 : 0);
  return 1 / (1 + exp(-points));
}

/** The model as linex calls it: takes a batch of rows, returns the class probabilities of each. */
export function predict(batch) {
  return batch.rows.map(scoreApplicant).map((score) => [1 - score, score]);
}
