// Lays out the contributions to several targets in one picture: one column per target, or one line each if there is no space.
import { partsByRow } from '../measure/aligned-explanations.js';
import { box, rule } from '../render/drawing.js';
import { fitWords, MARGIN } from '../render/layout-text.js';
import { stepOf } from '../render/palette.js';
import { Reading } from '../render/reading.js';
import { plain } from '../render/wording.js';
import { horizontalAxis, scaleOver } from './chart-axis.js';
import {
  axisTitle,
  columnsFor,
  drawingOf,
  edgeOf,
  FONT_SIZE,
  layoutHeading,
  layoutNotes,
  rowBox,
  SMALL,
  textAt,
  whisker,
  writeRow,
} from './chart-frame.js';

/**
 * @typedef {import('../measure/aligned-explanations.js').Aligned} Aligned
 * @typedef {import('../measure/aligned-explanations.js').Part} Part
 * @typedef {import('../render/drawing.js').Drawing} Drawing
 * @typedef {import('../render/drawing.js').Outline} Outline
 * @typedef {import('./chart-axis.js').Scale} Scale
 * @typedef {import('./chart-frame.js').Chart} Chart
 * @typedef {import('./chart-frame.js').ChartLook} ChartLook
 * @typedef {import('./chart-words.js').ChartWords} ChartWords
 * @typedef {import('./chart-words.js').Figures} Figures
 *
 * @typedef {object} Entry  one feature and its parts for all targets
 * @property {number} index
 * @property {string} name
 * @property {string} label
 * @property {(Part | undefined)[]} parts
 * @property {boolean} [rest]  whether it is what no feature explains
 */

const BAR = 12;
/** The least width of a column. */
const LEAST = 110;

/**
 * Lays out the contributions to several targets.
 *
 * @param {Aligned} aligned  one explanation per target
 * @param {ChartLook & { features: number}} look  features: the largest number of features
 * @returns {Chart}
 */
export function layoutTargets(aligned, look) {
  const { words, width } = look;
  const { labels } = words;
  const readings = aligned.explanations.map((explanation) => new Reading(explanation, words.reading));
  const all = entriesOf(aligned, readings);
  const open = restOf(readings, labels);
  const entries = [...all.slice(0, look.features), ...open];
  const values = entries.flatMap(({ parts }) =>
    parts.flatMap((part) => (part ? [part.contribution, ...(part.interval ?? [])] : [])),
  );
  const figures = words.figures(values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1);
  const targets = aligned.explanations.map(({ target, prediction }) => ({
    name: words.target({ target }) || labels.answerAxis,
    quoted: words.subject({ target }),
    answer: prediction === null ? '' : words.answer(prediction),
    prediction,
  }));
  const title = labels.targetsTitle;
  const sentence = sentenceOf(entries, targets, figures, words);
  const heading = layoutHeading(title, [sentence], look);
  const largest = all.reduce(
    (most, { parts }) => parts.reduce((own, part) => Math.max(own, Math.abs(part?.contribution ?? 0)), most),
    0,
  );
  const content = { entries, targets, values, largest, figures };
  const columns = columnsFor(
    entries.map(({ label }) => label),
    [],
    look,
  );
  const inColumns = !columns.narrow && (columns.to - columns.from) / targets.length >= LEAST;
  const layout = inColumns ? layoutColumns : layoutLines;
  const { items, bottom } = layout(content, heading.height + 12, look);
  const hidden = all.length + open.length - entries.length;
  const notes = [
    ...(entries.some(({ parts }) => parts.some((part) => part?.interval)) ? [labels.lines] : []),
    ...(open.length ? [labels.striped] : []),
    ...(hidden > 0 ? [words.say('notShown', { count: hidden })] : []),
  ];
  const below = layoutNotes(notes, bottom, look);
  const drawing = drawingOf([...heading.items, ...items, ...below.items], {
    width,
    height: below.bottom + MARGIN - 4,
    title,
  });
  return { drawing, sentence, ...describe(content, words) };
}

/**
 * What the contributions leave unexplained, if that is much for one of the targets.
 *
 * @param {readonly Reading[]} readings  one per target
 * @param {ChartWords['labels']} labels
 * @returns {Entry[]}  none or one
 */
function restOf(readings, { notExplained }) {
  const parts = readings.map(({ rest: [item] }) =>
    item ? { contribution: item.amount, interval: null, sure: false } : undefined,
  );
  return parts.some(Boolean) ? [{ index: -1, name: '', label: notExplained, parts, rest: true }] : [];
}

/** Reads the features, the largest first. @param {Aligned} aligned @param {readonly Reading[]} readings @returns {Entry[]} */
function entriesOf({ features, listed, explanations }, readings) {
  const entries = features.map(({ index, name }, f) => {
    // The first explanation that lists the feature says where it is.
    const reading = readings[listed[f].rows[0]];
    const item = reading.items.find(({ feature }) => feature.name === name);
    const size = listed[f].parts.reduce((most, part) => Math.max(most, Math.abs(part.contribution)), 0);
    const parts = partsByRow(listed[f], explanations.length);
    return { index, name, label: item ? reading.label(item) : plain(name), parts, size };
  });
  return entries.sort((a, b) => b.size - a.size || a.index - b.index);
}

/** @typedef {{ entries: Entry[], targets: { name: string, quoted: string, answer: string, prediction: number | null }[], values: number[], largest: number, figures: Figures }} Content */

/**
 * One column per target.
 *
 * @param {Content} content
 * @param {number} top
 * @param {ChartLook} look
 * @returns {{ items: Drawing['items'], bottom: number }}
 */
function layoutColumns({ entries, targets, values, largest }, top, look) {
  const { measure, words, width } = look;
  const { labels } = words;
  const columns = columnsFor(
    entries.map(({ label }) => label),
    [],
    look,
  );
  const room = (columns.to - columns.from) / targets.length;
  const head = top + 36;
  const bottom = head + entries.length * columns.row + 4;
  const scales = targets.map((_, t) => {
    const left = columns.from + t * room;
    return scaleOver([0, ...values], left + 6, left + room - 6, 0.02);
  });
  const items = /** @type {Drawing['items']} */ ([]);
  let end = -Infinity;
  targets.forEach(({ name, answer }, t) => {
    const axis = horizontalAxis(scales[t], { top: head, bottom, measure, signed: true, ...words.ticks });
    const left = columns.from + t * room + 6;
    const half = ({ text = '' }) => measure(text, SMALL) / 2;
    // A number does not touch one of the column before.
    const numbers = axis.numbers.filter((number) => number.x - half(number) > end + 8);
    end = numbers.reduce((most, number) => Math.max(most, number.x + half(number)), end);
    items.push(
      fitWords(textAt(name, left, top + 10, { bold: true }), room - 12, measure),
      textAt(answer, left, top + 27, { size: SMALL, fill: 'muted' }),
      ...axis.lines,
      ...numbers,
    );
  });
  entries.forEach(({ label, parts, rest }, f) => {
    const y = head + f * columns.row;
    const marks = parts.flatMap((part, t) => drawPart(part, scales[t], y + columns.middle, { largest, rest }));
    items.push({
      feature: f,
      box: rowBox(columns, y),
      items: [...marks, ...writeRow({ label }, { columns, y, measure })],
    });
  });
  items.push(axisTitle(labels.targetsAxis, bottom, { columns, width, measure }));
  return { items, bottom: bottom + 40 };
}

/**
 * One line per feature and target.
 *
 * @param {Content} content
 * @param {number} top
 * @param {ChartLook} look
 * @returns {{ items: Drawing['items'], bottom: number }}
 */
function layoutLines({ entries, targets, values, largest, figures }, top, look) {
  const { measure, words, width } = look;
  const { labels } = words;
  const [left, right, line] = [MARGIN, width - MARGIN, 20];
  const longest = (/** @type {string[]} */ texts) =>
    texts.reduce((most, text) => Math.max(most, measure(text, SMALL)), 0);
  const names = targets.map(({ name, answer }) => [name, answer].filter(Boolean).join(' '));
  const nameWidth = Math.min(longest(names), 0.34 * (right - left));
  const numberWidth = longest(
    entries.flatMap(({ parts, rest }) => parts.map((part) => numberOf(part, rest, figures, labels))),
  );
  const scale = scaleOver([0, ...values], left + nameWidth + 12, right - numberWidth - 10, 0.02);
  const block = 24 + targets.length * line;
  const bottom = top + entries.length * block + 2;
  const axis = horizontalAxis(scale, { top, bottom, measure, signed: true, ...words.ticks });
  const items = /** @type {Drawing['items']} */ ([...axis.lines, ...axis.numbers]);
  const style = { size: SMALL, fill: 'muted' };
  entries.forEach(({ label, parts, rest }, f) => {
    const y = top + f * block;
    const name = fitWords(textAt(label, left, y + 15), right - left, measure);
    const ground = { d: box(left - 2, y + 2, measure(name.text, FONT_SIZE) + 6, 17), fill: 'ground' };
    const lines = parts.flatMap((part, t) => {
      const middle = y + 22 + (t + 0.5) * line;
      return [
        fitWords(textAt(names[t], left, middle + 4, style), nameWidth, measure),
        ...drawPart(part, scale, middle, { largest, rest }),
        textAt(numberOf(part, rest, figures, labels), right, middle + 4, { ...style, side: 'right' }),
      ].filter((item) => !('text' in item) || item.text);
    });
    items.push({ feature: f, box: [left - 4, y, right - left + 8, block], items: [ground, name, ...lines] });
  });
  items.push(axisTitle(labels.targetsAxis, bottom, { columns: scale, width, measure }));
  return { items, bottom: bottom + 40 };
}

/**
 * Draws a bar from 0, and its interval.
 *
 * @param {Part | undefined} part
 * @param {Scale} scale
 * @param {number} y
 * @param {{ largest: number, rest?: boolean }} look  largest: the contribution with the strongest color; rest: whether no feature explains it
 * @returns {Outline[]}
 */
function drawPart(part, { at }, y, { largest, rest }) {
  if (!part) return [];
  const { contribution, interval, sure } = part;
  const [zero, end] = [at(0), at(contribution)];
  const [from, length] = [Math.min(zero, end), Math.abs(end - zero)];
  /** @type {Outline[]} */
  const shapes = [];
  if (sure) {
    const step = stepOf(contribution, largest);
    shapes.push({ d: box(from, y - BAR / 2, Math.max(1, length), BAR), fill: edgeOf(step) });
    if (length > 3) shapes.push({ d: box(from + 1, y - BAR / 2 + 1, length - 2, BAR - 2), fill: step });
  } else if (rest)
    shapes.push(
      { d: box(from, y - BAR / 2, Math.max(1, length), BAR), fill: 'muted' },
      ...(length > 3 ? [{ d: box(from + 1, y - BAR / 2 + 1, length - 2, BAR - 2), fill: 'ground' }] : []),
      { d: rule(from, y - BAR / 2, length, 'undecided', BAR), fill: 'muted' },
    );
  else if (length > 4)
    for (const edge of [-BAR / 2, BAR / 2 - 2])
      shapes.push({ d: rule(from, y + edge, length, 'undecided'), fill: 'muted' });
  if (interval?.some(Boolean)) shapes.push(...whisker(at(interval[0]), at(interval[1]), y, sure ? 'ink' : 'muted'));
  return shapes;
}

/**
 * Names the target with the highest answer, what raises it most, and what is not explained.
 *
 * @param {readonly Entry[]} entries
 * @param {Content['targets']} targets
 * @param {Figures} figures
 * @param {ChartWords} words
 */
function sentenceOf(entries, targets, { signed }, words) {
  const best = targets.reduce(
    (most, { prediction }, t) => ((prediction ?? -Infinity) > (targets[most].prediction ?? -Infinity) ? t : most),
    0,
  );
  const { quoted, answer } = targets[best];
  const known = entries.filter(({ rest }) => !rest);
  const raising = known
    .flatMap(({ label, parts }) => {
      const part = parts[best];
      return part?.sure && part.contribution > 0 ? [{ label, contribution: part.contribution }] : [];
    })
    .sort((a, b) => b.contribution - a.contribution)
    .slice(0, 1)
    .map(({ label, contribution }) => `${label} (${signed(contribution)})`);
  const explained = known.reduce(
    (sum, { parts: { [best]: part } }) => sum + (part?.sure ? Math.abs(part.contribution) : 0),
    0,
  );
  const open = entries.find(({ rest }) => rest)?.parts[best]?.contribution ?? 0;
  const isMost = Math.abs(open) > explained;
  const { notExplained, nothingSure } = words.labels;
  return [
    answer && words.say('targetsSentence', { target: quoted, answer }),
    isMost && words.say('mostlyRest', { amount: signed(open) }),
    raising.length ? words.say('targetsFor', { list: words.list(raising) }) : nothingSure,
    open && !isMost && words.say('reasons', { side: words.capitalize(notExplained), names: signed(open) }),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Writes an effect. @param {Part | undefined} part @param {boolean | undefined} rest @param {Figures} figures @param {ChartWords['labels']} labels */
const numberOf = (part, rest, { signed }, { unsure }) =>
  part ? (part.sure || rest ? signed(part.contribution) : unsure) : '';

/** @param {Content} content @param {ChartWords} words @returns {Pick<Chart, 'table' | 'stops'>} */
function describe({ entries, targets, figures }, words) {
  const { labels } = words;
  const cell = (/** @type {Part | undefined} */ part, /** @type {boolean | undefined} */ rest) => {
    if (!part) return '';
    return [numberOf(part, rest, figures, labels), words.range(part.interval, figures.signed)]
      .filter(Boolean)
      .join(', ');
  };
  return {
    table: {
      headings: [labels.feature, ...targets.map(({ name }) => name)],
      rows: entries.map(({ label, parts, rest }) => [label, ...parts.map((part) => cell(part, rest))]),
    },
    stops: entries.map(({ index, name, label, parts, rest }) => ({
      ...{ feature: rest ? null : index, name },
      details: [
        label,
        ...parts
          .map((part, t) => part && `${targets[t].name}: ${cell(part, rest)}`)
          .filter((text) => text !== undefined),
      ],
    })),
  };
}
