// npm run graph: writes into CONTRIBUTING.md, between two comments, which folders of src/ and js/ use each other.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { graphOf, readSources, ROOMS, roomOf } from '../tests/support/rooms.js';

const FILE = new URL('../CONTRIBUTING.md', import.meta.url);
const START = '<!-- graph: written by npm run graph, do not edit -->';
const END = '<!-- end of graph -->';

/** What each folder is for. */
const PURPOSES = {
  src: {
    base: 'status codes, allocation, elementary functions, random numbers, sorting, points',
    matrices: 'dense kernels for fits: products, moments, Cholesky factors, inverses',
    designs: 'samples that are spread evenly: Sobol points, normal quantiles, mirrored orthogonal blocks',
    data: 'tables, densities, word vectors, trees and forests',
    image: 'image input, colors, superpixels, composing masked images',
    neighborhood: 'perturbed rows, masks of words and segments, the training rows of MAPLE',
    environments: 'how answered samples are split among the players, and sums over groups of samples',
    solvers: 'the state of a game, and ways to its equilibrium: sweeps, Newton steps, the path in gamma',
    game: 'the fit of each environment, selection of features, the game, Algorithm 1 and the certificate',
    wide: 'games with more features than samples, solved without Gram matrices',
    adjust: 'control variates: answers without the noise whose linear part is known',
    kriging: 'control variates from Gaussian processes, and which control variate is for which samples',
    explain: 'one explanation with its intervals, Shapley values, stability',
  },
  js: {
    core: 'errors, option checks, loading WebAssembly, memory, asking the model',
    data: 'tables, forests, tokens, images, word vectors',
    neighborhood:
      'what the model is asked about: perturbed rows, texts and images, or samples from a sampler of your own',
    solve: 'settings, and the fits, games and Shapley values that WebAssembly computes from answers',
    explain: 'options, the run of one explanation, LINEX, LIME, SHAP and MAPLE, for rows, texts and images',
    measure: 'stability, faithfulness and ablation; summaries and comparisons of explanations',
    render: 'layout, colors and wording; HTML, SVG, RGBA and terminal output',
    charts: 'charts of one or several explanations: waterfall, summary, importance, dependence, comparison and more',
    elements: 'the custom elements',
    pool: 'workers that explain many rows, texts or images in parallel',
    fleet: 'workers on many machines, which get their jobs through Redis',
    adapters: 'models of ONNX Runtime, TensorFlow.js, transformers.js and HTTP; polite asking, caches of answers',
    'command-files': 'files of the command: rows in any format, the types of columns, images, explanations',
    'command-jobs': 'what the command explains: its arguments, the model, the rows, and their run',
    'command-reports': 'what the command shows: pictures, pages and reports',
    command: 'the command `linex`, for Node only: one file per subcommand',
    runtimes: 'entry points that find the WebAssembly files in another way: Node, Cloudflare Workers, embedded',
  },
};

/** Whether one arrow or more lead from a folder to another. */
function reaches(graph, from, to) {
  return [...(graph.get(from) ?? [])].some((next) => next === to || reaches(graph, next, to));
}

/** The arrows of a graph without those that a longer path implies. @returns {[string, string][]} */
export function reduce(graph) {
  return [...graph].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reaches(graph, other, to)))
      .sort()
      .map((to) => [from, to]),
  );
}

/** The flowchart and the list of folders of one tree, as Markdown. */
function describeTree(top, graph, folders) {
  const used = new Map(folders.map((folder) => [folder, graph.get(folder) ?? new Set()]));
  const missing = folders.filter((folder) => !PURPOSES[top][folder]);
  if (missing.length > 0) throw new Error(`.ci/graph.js states no purpose for ${top}/${missing.join(`, ${top}/`)}`);
  return [
    `#### ${top}/`,
    '',
    '```mermaid',
    'flowchart TD',
    ...folders.map((folder) => `  ${folder}`),
    ...reduce(used).map(([from, to]) => `  ${from} --> ${to}`),
    '```',
    '',
    ...folders.map((folder) => `- \`${top}/${folder}/\`: ${PURPOSES[top][folder]}`),
  ];
}

/**
 * Replaces the block between the two comments by the graph of the sources.
 *
 * @param {string} text  CONTRIBUTING.md
 * @param {Map<string, string>} sources  from readSources
 * @returns {string}
 * @throws {Error} if a comment is missing
 */
export function withGraph(text, sources) {
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`CONTRIBUTING.md must have the lines "${START}" and "${END}"`);
  const graph = graphOf(sources);
  const trees = Object.entries(ROOMS).map(([top, rooms]) => {
    const present = new Set([...sources.keys()].filter((path) => path.startsWith(`${top}/`)).map(roomOf));
    return describeTree(
      top,
      graph[top],
      rooms.filter((room) => present.has(room)),
    ).join('\n');
  });
  return `${text.slice(0, start)}${START}\n\n${trees.join('\n\n')}\n\n${text.slice(end)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(FILE, withGraph(readFileSync(FILE, 'utf8'), readSources()));
