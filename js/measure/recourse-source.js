// Remembers which explanation a result of recourse follows, so that elements can link the pictures of both.

/** @type {WeakMap<object, readonly any[]>} */
const sources = new WeakMap();

/** @param {object} result @param {object} explanation */
export const setSourceOfRecourse = (result, explanation) => sources.set(result, [explanation]);

/** Returns the explanation that the caller gave, unless there was none or the result was parsed from JSON. @param {object} result */
export const sourcesOfRecourse = (result) => sources.get(result);
