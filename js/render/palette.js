// The color scale and the colors of everything else, per palette and theme.

/**
 * A palette names two colors: the first is for positive weights, the second for negative ones; zero is neutral. The
 * light scales are ColorBrewer's RdBu and PuOr, which color-blind readers can tell apart. Some steps are slightly
 * changed so that black or white text is legible on them.
 *
 * @typedef {'blue-orange' | 'purple-orange' | 'red-blue'} Palette
 * @typedef {'light' | 'dark' | 'auto'} Theme
 */

/** The first one is the default. It has no red, because pages use red for what is bad, whatever the sign. */
export const PALETTES = /** @type {const} */ (['blue-orange', 'purple-orange', 'red-blue']);
export const THEMES = /** @type {const} */ (['light', 'dark', 'auto']);

/** The number of steps on either side of zero. */
const STEPS = 9;

/** Four stops per color, as hex: at 1/4, 1/2, 3/4 and the end of the scale. @type {Record<string, Record<string, string>>} */
const STOPS = {
  light: {
    zero: 'f7f7f7',
    red: 'fddbc7f4a582d6604db2182b',
    blue: 'd1e5f092c5de3f8fc11c5fa5',
    purple: 'd8daebb2abd28073ac542788',
    orange: 'fee0b6fdb863e08214a34f05',
  },
  dark: {
    zero: '23282f',
    red: '4a222686302fd4574bff9a8a',
    blue: '1b34501f56883a8bc893ccf8',
    purple: '332a4d57438a957ccbcdbdf5',
    orange: '43301a74480fbd7a22f8bb6a',
  },
};

/** Colors that are not on the scale. @type {Record<string, Record<string, string>>} */
const PLAIN = {
  light: { ground: '#ffffff', ink: '#0d1117', muted: '#57606a', line: '#d0d7de' },
  dark: { ground: '#15191e', ink: '#e6edf3', muted: '#9aa5b1', line: '#3d4650' },
};
export const PLAIN_ROLES = Object.keys(PLAIN.light);

/**
 * Colors of values from low to high, for charts of many rows. They differ in lightness, so that they can be told apart
 * without hues, and all have a contrast of at least 3 to the ground. They are neither color of a palette, because a high
 * value is not a reason for or against something.
 *
 * @type {Record<string, string[]>}
 */
const VALUES = {
  light: ['#8c9a12', '#4a8f3c', '#1c7a5a', '#0e5c66', '#123a54'],
  dark: ['#35708a', '#2c9187', '#5bb36c', '#a6cf55', '#f3ea80'],
};
/** The roles of the value colors, from low to high. */
export const VALUE_ROLES = VALUES.light.map((_, i) => `v${i + 1}`);

/**
 * Returns the color at a place on the scale.
 *
 * @param {number} place  -1 to 1; a place beyond an end gets the color of that end
 * @param {Palette} palette
 * @param {'light' | 'dark'} [theme]
 * @returns {[number, number, number]}  red, green, blue, 0 to 255
 */
export function colorAt(place, palette, theme = 'light') {
  const [positive, negative] = palette.split('-');
  const stops = STOPS[theme].zero + STOPS[theme][place < 0 ? negative : positive];
  const along = 4 * Math.min(1, Math.abs(place));
  const stop = Math.min(3, Math.floor(along));
  const valueAt = (/** @type {number} */ index) => parseInt(stops.slice(index, index + 2), 16);
  const channel = (/** @type {number} */ index) =>
    Math.round(valueAt(index) + (along - stop) * (valueAt(index + 6) - valueAt(index)));
  return [channel(6 * stop), channel(6 * stop + 2), channel(6 * stop + 4)];
}

/**
 * Returns the name of the step that a weight falls on.
 *
 * @param {number} weight
 * @param {number} fullWeight  the weight that gets the full color
 * @returns {string}  `p1` to `p9` for positive weights, `n1` to `n9` for negative ones, `z` for zero
 */
export function stepOf(weight, fullWeight) {
  if (!weight) return 'z';
  const step = Math.max(1, Math.round(STEPS * Math.min(1, Math.abs(weight) / fullWeight)));
  return `${weight < 0 ? 'n' : 'p'}${step}`;
}

/** Returns the place of a step on the scale, -1 to 1. @param {string} step */
export const placeOf = (step) => (step === 'z' ? 0 : ((step[0] === 'n' ? -1 : 1) * Number(step.slice(1))) / STEPS);

/** All steps from end to end: `n9` to `n1`, `z`, `p1` to `p9`. */
export const SCALE = Array.from({ length: 2 * STEPS + 1 }, (_, i) => stepOf(i - STEPS, STEPS));

/**
 * Returns the color of a role as CSS.
 *
 * @param {string} role  a step (`p3`), text on that step (`on-p3`), the color of a value (`v1` to `v5`), or one of
 *   `ground`, `ink`, `muted` and `line`
 * @param {Palette} palette
 * @param {'light' | 'dark'} theme
 * @returns {string}
 */
export function paintOf(role, palette, theme) {
  if (PLAIN[theme][role]) return PLAIN[theme][role];
  if (role[0] === 'v') return VALUES[theme][Number(role[1]) - 1];
  const step = role.replace('on-', '');
  const color = colorAt(placeOf(step), palette, theme);
  if (step === role) return `rgb(${color})`;
  // Black text on bright steps, white text on dark ones. Squares approximate the sRGB curve. With this threshold every
  // step is on the correct side; a test computes each contrast with the WCAG formula.
  const [red, green, blue] = color;
  return 0.2126 * red ** 2 + 0.7152 * green ** 2 + 0.0722 * blue ** 2 > 120 ** 2 ? '#000000' : '#ffffff';
}
