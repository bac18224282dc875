// What a model tells about itself, as the models of linex/adapters do.

/**
 * Completes the options of a call by the `classes` and the `input` of a model. Options that are given come first.
 *
 * @template O
 * @param {O} options
 * @param {any} predict
 * @returns {O}  a copy
 */
export function withModelFacts(options, { classes, input }) {
  const given = /** @type {any} */ (options);
  return {
    ...given,
    ...(classes && given.classes === undefined && { classes }),
    ...(input && { input: { ...input, ...given.input } }),
  };
}
