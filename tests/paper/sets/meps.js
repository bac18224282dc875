// The Medical Expenditure Panel Survey, panel 19: a forest that predicts the logarithm of the number of visits.
import * as linex from 'linex';
import { parseFields, readText, splitItems } from './data.js';
import { RowSubject } from '../subjects/row-subject.js';

const FILE = 'meps19.csv';
// The paper does not name its 32 features; these fit its description. All are categorical; age counts in decades.
const COLUMNS = [
  ...['AGE', 'SEX', 'RACE', 'REGION', 'MARRY', 'RTHLTH', 'MNHLTH', 'HIBPDX', 'CHDDX', 'ANGIDX', 'MIDX', 'OHRTDX'],
  ...['STRKDX', 'EMPHDX', 'CHBRON', 'CHOLDX', 'CANCERDX', 'DIABDX', 'JTPAIN', 'ARTHDX', 'ARTHTYPE', 'ASTHDX'],
  ...['ADHDADDX', 'WLKLIM', 'ACTLIM', 'SOCLIM', 'COGLIM', 'DFHEAR42', 'DFSEE42', 'EMPST', 'POVCAT', 'INSCOV'],
];
const WIDTHS = [0.28, 0.57, 1.41, 2.83, 4.24];
const SIZES = [50, 100, 200, 300, 400, 500];
/** The settings of a forest that come closest to the paper's R². */
const FOREST = { trees: 100, minLeaf: 10, featuresPerSplit: 1 / 3, seed: 1 };

/** @param {Record<string, string>} fields */
function personOf(fields) {
  const row = COLUMNS.map((name) => Number(fields[name]));
  row[0] = Math.min(8, Math.floor(row[0] / 10));
  return { row, response: Math.log(Number(fields.UTIL)) };
}

/** The nearest rows are those that differ in the fewest answers. */
function nearestPersons(rows, count) {
  return rows.map((own, i) => {
    const others = rows.map((row, j) => ({ j, apart: j === i ? Infinity : row.filter((v, c) => v !== own[c]).length }));
    others.sort((a, b) => a.apart - b.apart || a.j - b.j);
    return others.slice(0, count).map(({ j }) => j);
  });
}

function determination(predicted, actual) {
  const middle = actual.reduce((a, b) => a + b, 0) / actual.length;
  const sum = (values, from) => values.reduce((total, value, i) => total + (value - from(i)) ** 2, 0);
  return 1 - sum(predicted, (i) => actual[i]) / sum(actual, () => middle);
}

export const meps = {
  key: 'meps',
  name: 'MEPS',
  files: [FILE],
  measureOf: 'R²',
  published: 0.325,
  neighbors: 10,
  classes: false,
  features: 5,
  kinds: {
    random: { samples: 500, widths: WIDTHS, sweep: SIZES, shared: true },
    forest: { samples: 501, widths: [undefined], sweep: SIZES.map((size) => size + 1), shared: true },
    shap: { samples: 500, widths: [undefined], shared: true },
  },
  sizes: { full: { splits: 1, examples: 500 }, quick: { splits: 1, examples: 16 } },
  sweep: { splits: 1, examples: 60 },
  study: { splits: 1, examples: 30, samples: [50, 200, 1000, 5000], dense: true },

  async open({ folder, split, examples }) {
    const { train, test } = splitItems(parseFields(readText(folder, FILE), ',').map(personOf), split);
    const [known, rows] = [train, test].map((people) => people.map(({ row }) => row));
    const responses = train.map(({ response }) => response);
    const forest = await linex.trainForest(known, responses, FOREST);
    const accuracy = determination(
      forest.predict(rows),
      test.map(({ response }) => response),
    );
    const explained = rows.slice(0, examples);
    return RowSubject.open({
      train: known,
      test: explained,
      predict: (batch) => forest.predict(batch.data ? batch : [...batch]),
      columns: COLUMNS,
      categorical: COLUMNS.map((_, c) => c),
      neighbors: nearestPersons(explained, this.neighbors),
      about: { accuracy },
      shap: { background: known.slice(0, 20) },
      neighborhoods: {
        forest: (table) => linex.forestNeighborhood(table, forest.predict(known), { rows: known }),
      },
    });
  },
};
