// The questions that a new user asks the search, each with the page that must come first. Chosen before the search was built.

/** @type {readonly (readonly [question: string, page: string])[]} */
export const QUESTIONS = [
  ['how do I get started', 'tutorial'],
  ['explain a text classifier', 'guides/texts'],
  ['explain a row of a csv file', 'guides/command-line'],
  ['explain an image', 'guides/images'],
  ['use an onnx model', 'guides/models'],
  ['transformers.js pipeline', 'guides/models'],
  ['import in a vite page', 'guides/pages-and-bundlers'],
  ['content security policy', 'guides/pages-and-bundlers'],
  ['does it run in deno or bun', 'guides/runtimes'],
  ['react', 'guides/runtimes'],
  ['show an explanation with a web component', 'guides/elements'],
  ['draw an svg', 'guides/drawing'],
  ['waterfall chart', 'guides/charts'],
  ['explain thousands of rows in parallel', 'guides/many-rows'],
  ['redis queue on many machines', 'guides/fleet'],
  ['my model costs money per query', 'guides/costly-models'],
  ['cache answers and retry', 'guides/costly-models'],
  ['missing values', 'guides/untidy-rows'],
  ['one-hot columns', 'guides/untidy-rows'],
  ['shapley values', 'guides/shap'],
  ['what would change the answer', 'guides/recourse'],
  ['what does a weight mean', 'ideas/what-a-weight-means'],
  ['why is a feature silenced', 'ideas/intervals-and-agreement'],
  ['confidence interval', 'ideas/intervals-and-agreement'],
  ['what r² is good enough', 'ideas/what-fidelity-is-good-enough'],
  ['linex or lime or shap: which one', 'ideas/linex-lime-shap'],
  ['migrate from lime', 'migrate/from-lime'],
  ['migrate from shap python', 'migrate/from-shap'],
  ['model-timeout', 'reference/errors'],
  ['nash equilibrium', 'ideas/how-linex-works'],
];

/**
 * Held out: written after the search, before any of them was tried. A question may have two pages that answer it.
 *
 * @type {readonly (readonly [question: string, ...pages: string[]])[]}
 */
export const HELD_OUT = [
  ['how many milliseconds does it take', 'ideas/how-fast'],
  ['random seed same result twice', 'faq', 'reference/options'],
  ['could not load linex.wasm', 'troubleshooting'],
  ['time series', 'guides/untidy-rows'],
  ['japanese text without spaces', 'guides/texts'],
  ['bounding box of an object detector', 'guides/images'],
  ['change the colors', 'guides/elements', 'guides/drawing'],
  ['labels in german', 'guides/drawing', 'guides/charts'],
  ['stop an explanation that takes too long', 'guides/costly-models'],
  ['what is gamma', 'glossary', 'ideas/how-linex-works'],
  ['call it from c', 'guides/c-library'],
  ['parquet file', 'guides/command-line', 'reference/commands'],
  ['pytorch model', 'guides/models'],
  ['all weights are zero', 'troubleshooting'],
  ['web worker so that the page does not freeze', 'guides/pages-and-bundlers'],
];
