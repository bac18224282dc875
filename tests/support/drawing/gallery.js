// Makes the gallery of the documentation: `npm run docs:gallery` writes it, a test compares it with fresh pictures.
import { applicants, classes, columns, categorical, formats, predict } from '../../../examples/dashboard/loans.js';
import { classes as species, columns as petals, trainIrisForest } from '../../../examples/iris-forest.js';
import * as linex from '../../../js/index.js';

export const GALLERY = new URL('../../../web/docs/gallery/', import.meta.url);
export const PAGE = new URL('../../../web/docs/gallery.md', import.meta.url);

const NOTE = '<!-- Made by `npm run docs:gallery`. Do not edit. -->';

/** What the pictures show: loan applicants, one of them with other seeds, and a flower. */
async function explainSubjects() {
  const table = await linex.describeTable(applicants, { columns, categorical, formats });
  const options = { table, classes, target: 'approved', features: 'all', samples: 400 };
  const rows = [];
  for await (const explanation of linex.explainRows(applicants, predict, { ...options, seed: 7 }))
    rows.push(explanation);
  const seeds = { linex: [], lime: [] };
  for (const method of Object.keys(seeds))
    for (let seed = 0; seed < 12; seed++) {
      const preset = method === 'lime' ? { preset: 'paper', draws: 100 } : {};
      const call = { ...options, ...preset, method, seed, samples: 60 };
      seeds[method].push(await linex.explainRow(applicants[16], predict, call));
    }
  const { train, test, predict: vote } = trainIrisForest();
  const flowers = await linex.describeTable(
    train.map(({ row }) => row),
    { columns: petals },
  );
  const flower = test.find(({ label }) => label === 1).row;
  const targets = await linex.explainRow(flower, vote, {
    table: flowers,
    classes: species,
    target: species,
    features: 'all',
  });
  const advice = await linex.recourse(applicants[16], predict, {
    ...{ table, classes, target: 'approved', explanation: rows[16] },
    immutable: ['age', 'time in job', 'late payments', 'purpose'],
  });
  return { rows, seeds, targets, advice };
}

/**
 * The pictures of the gallery, by file.
 *
 * @returns {Promise<{ file: string, heading: string, text: string, svg: string }[]>}
 */
export async function makeGallery() {
  const { rows, seeds, targets, advice } = await explainSubjects();
  const [declined, approved] = [rows[16], rows[5]];
  // The models give probabilities, so the pictures speak of chances.
  const auto = { theme: 'auto', answerFormat: { style: 'percent' } };
  const summary = linex.summarize(rows);
  const entries = [
    {
      ...{ file: 'waterfall', heading: 'Waterfall: why this answer?' },
      text: '`renderWaterfallSVG(explanation)` starts at the answer for the reference and ends at the model’s answer. What no feature explains has a bar of its own.',
      svg: linex.renderWaterfallSVG(declined, auto),
    },
    {
      ...{ file: 'waterfall-narrow', heading: 'The same on a phone' },
      text: 'Labels and numbers stand above the bars if the picture is narrow.',
      svg: linex.renderWaterfallSVG(declined, { ...auto, width: 360 }),
    },
    {
      ...{ file: 'summary', heading: 'Summary: what moves the answers, and which way?' },
      text: '`renderSummarySVG(explanations)` draws one dot per row and feature, colored by the value. With many rows a dot stands for several.',
      svg: linex.renderSummarySVG(rows, auto),
    },
    {
      ...{ file: 'importance', heading: 'Importance: which features matter most?' },
      text: '`renderImportanceSVG(summarize(explanations))` draws the mean size of the contributions, with intervals, split by direction.',
      svg: linex.renderImportanceSVG(summary, auto),
    },
    {
      ...{ file: 'dependence', heading: 'Dependence: how does one feature move the answer?' },
      text: '`renderDependenceSVG(explanations, { feature })` draws contributions over values.',
      svg: linex.renderDependenceSVG(rows, { ...auto, feature: 'income' }),
    },
    {
      ...{ file: 'dependence-levels', heading: 'The same for levels' },
      text: 'Levels, and numbers of which few differ, have a column each.',
      svg: linex.renderDependenceSVG(rows, { ...auto, feature: 'home' }),
    },
    {
      ...{ file: 'comparison', heading: 'Comparison: why did the answer change?' },
      text: '`renderComparisonSVG(compare(a, b))` leads from one answer to the other.',
      svg: linex.renderComparisonSVG(linex.compare(approved, declined), { ...auto, names: ['A-006', 'A-017'] }),
    },
    {
      ...{ file: 'steadiness-lime', heading: 'Steadiness: do the signs stay the same?' },
      text: '`renderSteadinessSVG(explanations)` draws one bar per explanation. Here LIME explains one applicant twelve times, with 60 queries each.',
      svg: linex.renderSteadinessSVG(seeds.lime, auto),
    },
    {
      ...{ file: 'steadiness-linex', heading: 'The same with LINEX' },
      text: 'LINEX with as many queries: what is not sure has no sign.',
      svg: linex.renderSteadinessSVG(seeds.linex, auto),
    },
    {
      ...{ file: 'targets', heading: 'Targets: which class, and why?' },
      text: '`renderTargetsSVG(explanations)` draws the explanations for several classes in one picture.',
      svg: linex.renderTargetsSVG(targets, auto),
    },
    {
      ...{ file: 'recourse', heading: 'Recourse: what would change the answer?' },
      text: '`renderRecourseSVG(await recourse(row, predict, { table, target }))` draws the smallest change that changes the answer.',
      svg: linex.renderRecourseSVG(advice, auto),
    },
    {
      ...{ file: 'dark', heading: 'In the dark theme and another palette' },
      text: "Every chart takes `theme`, `palette` and `width`. With `theme: 'auto'`, as in the other pictures, it follows the reader.",
      svg: linex.renderWaterfallSVG(approved, { ...auto, theme: 'dark', palette: 'purple-orange' }),
    },
  ];
  return entries;
}

/** The page that shows the pictures. @param {Awaited<ReturnType<typeof makeGallery>>} entries */
export function galleryPage(entries) {
  const sections = entries.map(
    ({ file, heading, text }) => `## ${heading}\n\n${text}\n\n![${heading}](gallery/${file}.svg)\n`,
  );
  const intro =
    'The charts that `linex/render` draws, made from the applicants of the [dashboard example](../../examples/README.md) and from irises. ' +
    'See [Drawing](guides/drawing.md) for their options, and [Elements](guides/elements.md) for charts that readers can point at.';
  return [`${NOTE}\n\n# Gallery\n\n${intro}\n`, ...sections].join('\n');
}
