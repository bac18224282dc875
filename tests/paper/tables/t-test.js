// The paired t-test, computed with the incomplete beta function.

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** ln Γ(x) for x > 0 (Lanczos, g = 7). @param {number} x */
function logGamma(x) {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const base = x - 1;
  const shifted = base + 7.5;
  const sum = LANCZOS.reduce((total, c, i) => total + c / (base + i + 1), 0.99999999999980993);
  return 0.5 * Math.log(2 * Math.PI) + (base + 0.5) * Math.log(shifted) - shifted + Math.log(sum);
}

/** The continued fraction of the incomplete beta function, by Lentz's method. */
function betaFraction(x, a, b) {
  const tiny = 1e-300;
  const away = (value) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return fraction;
}

/**
 * The regularized incomplete beta function I_x(a, b).
 *
 * @param {number} x  from 0 to 1
 * @param {number} a
 * @param {number} b
 */
export function incompleteBeta(x, a, b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges fast only on one side of the mean.
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/**
 * Tests whether the means of two paired series differ.
 *
 * @param {readonly number[]} first
 * @param {readonly number[]} second
 * @returns {{ t: number, p: number, difference: number, count: number }}  difference: mean of first − second; p: two-sided,
 *   1 if nothing differs
 * @throws {RangeError} if the series have different lengths, or fewer than two values
 */
export function pairedTest(first, second) {
  const count = first.length;
  if (second.length !== count || count < 2)
    throw new RangeError(`pairs of at least two are compared, not ${count} and ${second.length}`);
  const differences = first.map((value, i) => value - second[i]);
  const difference = mean(differences);
  const spread = standardError(differences);
  if (spread === 0)
    return { t: difference && Math.sign(difference) * Infinity, p: difference ? 0 : 1, difference, count };
  const t = difference / spread;
  const freedom = count - 1;
  return { t, p: incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5), difference, count };
}

/** @param {readonly number[]} values */
export const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

/** Of the mean. @param {readonly number[]} values */
export function standardError(values) {
  if (values.length < 2) return 0;
  const middle = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}
