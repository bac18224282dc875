// Results of recourse for renderers: found, found by class, none found; and one with hostile strings.

const change = (column, index, from, to, deviations, range) => ({
  ...{ column, index, from, to, change: range ? to - from : null, deviations, range },
});

const recourse = (more) => ({
  schema: 'linex-recourse/1',
  found: true,
  reason: null,
  message: 'the model confirmed the change',
  target: 'approved',
  side: 'above',
  threshold: null,
  row: [31000, 'own', 0.25],
  changes: [change('home', 1, 'rent', 'own', 1, null), change('income', 0, 26134, 31000, 0.28, [16000, 64000])],
  size: 1.28,
  prediction: { from: 0.31, to: 0.5004 },
  rival: { from: 0.69, to: 0.4996 },
  plausibility: { from: 0.4, to: 0.2, least: 0.05 },
  complete: true,
  tried: ['income', 'home'],
  closest: null,
  queries: { explain: 1000, search: 42, total: 1042 },
  seed: 0,
  ...more,
});

export const byClass = recourse({});

export const byScore = recourse({
  ...{ target: null, threshold: 70, side: 'below', rival: null, prediction: { from: 91.234, to: 69.8 } },
  changes: [change('pressure', 0, 0.00578, 0.0031, 1.2, [0.001, 0.02])],
});

export const already = recourse({
  ...{ reason: 'already', changes: [], prediction: { from: 0.7, to: 0.7 }, rival: { from: 0.3, to: 0.3 } },
});

export const none = recourse({
  ...{ found: false, reason: 'range', row: null, changes: [], size: 0, prediction: { from: 0.1, to: null } },
  rival: { from: 0.9, to: null },
  closest: {
    changes: [change('income', 0, 26134, 64000, 2.2, [16000, 64000])],
    ...{ prediction: 0.4, rival: 0.6, plausibility: null },
  },
});

/** The same with a string wherever the library writes a user's text. @param {string} string */
export const recourseWith = (string) => ({
  ...byClass,
  target: string,
  message: string,
  tried: [string],
  changes: [change(string, 0, string, `${string}${string}`, 1, null), { ...byClass.changes[1], column: string }],
});
