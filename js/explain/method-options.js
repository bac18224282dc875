// The types of the options of each method: an option that a method does not take does not compile.

/** @typedef {import('../solve/settings.js').Target} Target */

/** @typedef {Target | readonly Target[]} Targets  one target, or several */

/** @typedef {'linex' | 'lime' | 's-lime' | 'baseline'} FitMethod  the methods that fit a surrogate to answers */

/**
 * Options that may only be undefined. So they are refused in objects of any origin, and can be read from any options.
 *
 * @template {PropertyKey} Names
 * @typedef {{ [name in Names]?: undefined }} Without
 */

/**
 * The options that a method takes.
 *
 * @template All  the options of all methods
 * @template {PropertyKey} Refused  those that the method does not take
 * @typedef {Omit<All, Refused | 'method' | 'target' | 'onProgress'> & Without<Extract<keyof All, Refused>>} Taken
 */

/**
 * The options of one method. If the method is known only at run time, the type is a union.
 *
 * @template All  the options of all methods
 * @template M  the method
 * @typedef {M extends 'shap' ? Taken<All, NotForShap> & { method: 'shap' } :
 *   M extends 'maple' ? Taken<All, NotForMaple | ForShap> & { method: 'maple' } :
 *   Taken<All, ForShap> & { method?: FitMethod }} MethodOptions
 */

/**
 * @typedef {typeof import('./plan.js').NOT_FOR_SHAP[number]} NotForShap
 * @typedef {typeof import('./plan.js').NOT_FOR_MAPLE[number]} NotForMaple
 * @typedef {'link' | 'background'} ForShap  what only Shapley values take
 */

/**
 * What depends on the target: one explanation, or an array with one per target.
 *
 * @template E  the explanation
 * @template T  the option `target`
 * @typedef {T extends readonly unknown[] ? E[] : E} PerTarget
 */

/**
 * The same type, from which TypeScript infers nothing: what is inferred comes from the options `method` and `target` only.
 *
 * @template X
 * @typedef {[X][X extends any ? 0 : never]} Inferred
 */

/**
 * The options of a call.
 *
 * @template All  the options of all methods
 * @template M  the method
 * @template T  the option `target`
 * @template E  the explanation
 * @typedef {MethodOptions<All, M> & { method?: M, target?: T,
 *   onProgress?: (progress: import('./plan.js').Progress<PerTarget<E, Inferred<T>>>) => unknown }} CallOptions
 */

export {};
