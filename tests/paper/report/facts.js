// Arranges the numbers of report.json by name, so that prose can cite them.
import { FRACTIONS } from '../subjects/measures.js';

/** Makes an object of a list. @param {any[]} list @param {(one: any) => string} name @param {(one: any) => any} value */
const by = (list, name, value) => {
  const found = {};
  for (const one of list ?? []) found[name(one)] = value(one);
  return found;
};

/** Groups a list by several names, one level each. */
function nested(list, names, value) {
  if (names.length === 0) return value(list[0]);
  const [name, ...rest] = names;
  const groups = new Map();
  for (const one of list ?? []) groups.set(name(one), [...(groups.get(name(one)) ?? []), one]);
  return Object.fromEntries([...groups].map(([key, some]) => [key, nested(some, rest, value)]));
}

const WINNERS = { LINEX: 'LINEX wins', rival: 'LINEX loses', none: 'neither wins' };

/** The paper's rule: its rivals, a zero counts as +1, and units as pairs. */
const PAPERS = ({ ours }) => ours.positive.paper;

/** @param {object} report  report.json @returns {object}  what a report does not have is missing */
export function factsOf(report) {
  const isNew = report.form >= 2;
  return {
    made: report.made,
    settings: report.settings,
    boxes: by(report.boxes, (box) => box.name, (box) => box),
    tables: nested(report.tables, [({ name }) => name, ({ reading }) => reading], ({ rows }) =>
      by(rows, ({ row }) => row, ({ ours }) => by(Object.entries(ours), ([metric]) => metric, ([, one]) => one.mean)),
    ),
    theirs: theirFacts(report.tables),
    figures: figureFacts(report.figures),
    ...(isNew ? newFacts(report) : { before: formerCounts(report.tables) }),
  }; // prettier-ignore
}

/** The published means, by data set, row and metric. */
function theirFacts(tables) {
  const found = {};
  for (const { name, rows } of tables)
    for (const { row, theirs } of rows)
      if (theirs) (found[name] ??= {})[row] = by(Object.entries(theirs), ([metric]) => metric, ([, one]) => one.mean); // prettier-ignore
  return found;
}

/** Counts of a report of the older form: winners by t-tests over all examples, a zero as a plus, the paper's rivals. */
function formerCounts(tables) {
  const of = (reading) => tables.filter((table) => table.reading === reading).flatMap(({ cells }) => cells);
  const tally = (cells, side, winner) => cells.filter((cell) => cell[side].winner === winner).length;
  const both = (cells) => ({ won: tally(cells, 'ours', 'LINEX'), lost: tally(cells, 'ours', 'rival') });
  const product = of('product');
  return {
    paper: { cells: product.length, won: tally(product, 'theirs', 'LINEX'), lost: tally(product, 'theirs', 'rival') },
    bold: both(product.filter(({ theirs }) => theirs.winner === 'LINEX')),
    all: both(product),
  };
}

/** What only reports of the newer form have. */
function newFacts(report) {
  return {
    paper: report.paper,
    counts: nested(report.counts, [({ rivals }) => rivals, ({ zeros }) => zeros, ({ test }) => test], (rule) => ({
      ...rule.readings,
      either: rule.either,
    })),
    cells: cellFacts(report),
    unsettled: unsettledFacts(report),
    sweeps: nested(
      report.sweeps,
      [({ set }) => set, ({ kind }) => kind, ({ row }) => row, ({ axis }) => axis],
      ({ points }) => by(points, ({ x }) => String(x), (point) => meansOf(point)),
    ),
    smoothing: by(report.smoothing, ({ row }) => row, ({ points }) => averaged(points.map(meansOf))),
    ablation: nested(
      report.ablation,
      [({ set }) => set, ({ kind }) => kind, ({ reading }) => reading, ({ row }) => row],
      ({ unsigned, signed }) => ({ unsigned: curveFacts(unsigned), signed: curveFacts(signed) }),
    ),
    map: mapFacts(report.map),
    pictures: nested(report.pictures, [({ name }) => name, ({ reading }) => reading], ({ ablation, examples }) => ({ ablation, examples })),
    times: timeFacts(report.times),
    tried: by(report.tried, ({ name }) => name, ({ rows, splits, examples }) => ({ ...rows, splits, examples })),
    sentences: sentenceFacts(report.sentences),
  }; // prettier-ignore
}

const meansOf = (point) =>
  Object.fromEntries(Object.entries(point).filter(([, one]) => typeof one === 'object').map(([metric, { mean }]) => [metric, mean])); // prettier-ignore

function averaged(points) {
  const metrics = Object.keys(points[0]);
  const over = (metric) => points.reduce((sum, point) => sum + point[metric], 0) / points.length;
  return Object.fromEntries(metrics.map((metric) => [metric, over(metric)]));
}

const curveFacts = ({ changes, flips }) =>
  Object.fromEntries(
    FRACTIONS.map((fraction, f) => [`${Math.round(100 * fraction)}`, { change: changes[f], flips: flips[f] }]),
  );

/** By data set, group and metric: what the primary and the other reading say. */
function cellFacts({ tables, choices }) {
  const found = {};
  const kinds = { rand: ['random'], real: ['density', 'words', 'latent'], mpl: ['forest'] };
  for (const { name, key, reading, cells } of tables)
    for (const cell of cells)
      for (const [choice, chosen] of Object.entries(choices)) {
        if (!kinds[cell.group].some((kind) => chosen[key]?.[kind] === reading)) continue;
        const { linex, rival, rivalMean, winner } = PAPERS(cell);
        const says = cell.unsettled > 0 ? 'not counted' : WINNERS[winner.units];
        const group = ((found[name] ??= {})[cell.group] ??= {});
        (group[cell.metric] ??= {})[choice] = { linex, rival, rivalMean, says };
      }
  return found;
}

/** How many cells of the readings that count have games that do not come to rest, and the share of such games elsewhere. */
function unsettledFacts({ tables, choices, counts }) {
  const chosen = (name, reading) =>
    Object.values(choices).some((choice) => Object.values(choice[name] ?? {}).includes(reading));
  const rows = tables.flatMap(({ name, key, reading, rows: own }) =>
    own.filter(({ row }) => row.startsWith('LINEX')).map(({ row, ours, explained }) => ({ name, key, reading, row, ours, explained })),
  ); // prettier-ignore
  const games = (some) => some.reduce((sum, { explained }) => sum + explained, 0);
  const counted = rows.filter(({ key, reading }) => chosen(key, reading));
  return {
    primary: counts[0]?.readings.primary.all.unsettled,
    other: counts[0]?.readings.other.all.unsettled,
    rows: counted.length,
    explained: games(counted),
    share: nested(
      rows,
      [({ name }) => name, ({ reading }) => reading, ({ row }) => row],
      ({ ours }) => ours.restless?.mean,
    ),
  };
}

function mapFacts(map) {
  if (!map) return null;
  const over = (row) => map.reduce((sum, flower) => sum + flower[row], 0) / map.length;
  return {
    flowers: map.length,
    LIME: over('LIME'),
    LINEX: over('LINEX/rand'),
    calmer: map.filter((flower) => flower['LINEX/rand'] < flower.LIME).length,
  };
}

function timeFacts(times) {
  return by(times, ({ name }) => name, ({ rows }) => {
    const lime = rows.find(({ row }) => row === 'LIME');
    return by(rows, ({ row }) => row, (one) => ({ ...one, ratio: one.seconds / lime.seconds, paperRatio: one.printed / lime.printed }));
  }); // prettier-ignore
}

/** How often the leading word is the printed one, and which of the paper's three words lead. */
function sentenceFacts(sentences) {
  const printed = sentences.filter((one) => one.printed);
  const leading = { masterpiece: 'one-of-a-kind', moving: 'a moving tale', audacious: 'spare yet' };
  return {
    count: new Set(sentences.map(({ text }) => text)).size,
    ...Object.fromEntries(
      [...new Set(printed.map(({ reading }) => reading))].map((reading) => [
        reading,
        Object.fromEntries(
          ['MeLIME', 'LINEX/real'].map((row) => {
            const own = printed.filter((one) => one.reading === reading && one.row === row);
            const first = (one) => one.words[0]?.[0].toLowerCase();
            const lead = (word) =>
              first(own.find(({ text }) => text.startsWith(leading[word])) ?? { words: [] }) === word;
            return [
              row.split('/')[0],
              {
                same: own.filter((one) => first(one) === one.printed[0][0]).length,
                ...Object.fromEntries(
                  Object.keys(leading).map((word) => [word, lead(word) ? 'leads' : 'does not lead']),
                ),
              },
            ];
          }),
        ),
      ]),
    ),
  };
}

function figureFacts(figures) {
  if (!figures) return null;
  const { gamma, risingEdge, convergence } = figures;
  return {
    flowers: gamma.constantFrom.length,
    least: Math.min(...gamma.constantFrom),
    most: Math.max(...gamma.constantFrom),
    gamma: gamma.gamma,
    rounds: convergence.rounds,
    edgeGamma: convergence.gamma,
    edge: by(risingEdge.byCount, ({ count }) => String(count), (one) => one),
  }; // prettier-ignore
}
