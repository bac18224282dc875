// Fisher's irises, from their npm package: a random forest, explained for setosa.
import * as linex from 'linex';
import { columns, trainIrisForest } from '../../../examples/iris-forest.js';
import { nearestOthers } from './data.js';
import { RowSubject } from '../subjects/row-subject.js';

const WIDTHS = [0.1, 0.2, 0.5, 1, 1.5];
const SETOSA = 0;

export const iris = {
  key: 'iris',
  name: 'IRIS',
  files: [],
  measureOf: 'accuracy',
  published: 0.93,
  neighbors: 3,
  // Setosa is explained, for flowers of all classes; the paper's CAC makes sense only for setosas.
  classes: [SETOSA],
  features: 5,
  kinds: {
    random: { samples: 10, widths: WIDTHS, sweep: [10, 20, 30, 40, 50], shared: true },
    density: { samples: 10, widths: WIDTHS, sweep: [10, 20, 30, 40, 50], shared: true },
    // The model is asked about the row itself, but the row is not one of MAPLE's neighbors.
    forest: {
      samples: 11,
      widths: [undefined],
      sweep: [11, 21, 31, 41, 51],
      shared: true,
      study: { samples: [11, 51] },
    },
    shap: { samples: 10, widths: [undefined], shared: true },
  },
  sizes: { full: { splits: 20, examples: 30 }, quick: { splits: 3, examples: 30 } },
  sweep: { splits: 5, examples: 30 },
  study: { splits: 2, examples: 30, samples: [10, 50, 200, 1000, 5000], dense: false },

  /** @param {{ split: number, examples: number, all?: boolean }} size  all: the 120 flowers of the training set too */
  async open({ split, examples, all = false }) {
    const { train, test, predict, accuracy } = trainIrisForest({ seed: split });
    const explained = all ? [...test, ...train] : test.slice(0, examples);
    const rows = explained.map(({ row }) => row);
    const known = train.map(({ row }) => row);
    return RowSubject.open({
      train: known,
      test: rows,
      predict,
      columns,
      target: SETOSA,
      neighbors: nearestOthers(rows, this.neighbors),
      about: { accuracy },
      shap: { background: known },
      neighborhoods: {
        // MeLIME's own method: training rows near the row, with the noise of the density's kernels.
        density: (table) => linex.densityNeighborhood(table, { rows: known, near: 'rows' }),
        forest: (table) => linex.forestNeighborhood(table, predict(known), { rows: known }),
      },
    });
  },
};
