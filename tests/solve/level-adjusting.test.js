// Levels of categorical columns as control variates, through the public API.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTable, explainRow } from 'linex';
import { dice } from '../support/dice.js';

const LEVELS = ['a', 'b', 'c', 'd'];
/** What each level adds to the answer. */
const EFFECTS = [0, 3, -2, 1];

/** Five columns with four levels each, drawn in equal shares. */
async function levelsTable() {
  const { uniform } = dice(3);
  const rows = Array.from({ length: 400 }, () =>
    Array.from({ length: 5 }, () => LEVELS[Math.floor(LEVELS.length * uniform())]),
  );
  return describeTable(rows, { categorical: [0, 1, 2, 3, 4] });
}

const answer = (row) => row.reduce((sum, level, c) => sum + EFFECTS[LEVELS.indexOf(level)] / (c + 1), 0);

/** The weight of "it has level a" for the answer: the effect of level a minus the mean effect of the others. */
function trueWeights(table) {
  return table.columns.map(({ levels, frequencies }, c) => {
    const others = levels
      .map((level, l) => [EFFECTS[LEVELS.indexOf(level)], frequencies[l]])
      .filter((_, l) => levels[l] !== 'a');
    const share = others.reduce((sum, [, frequency]) => sum + frequency, 0);
    return -others.reduce((sum, [effect, frequency]) => sum + (effect * frequency) / share, 0) / (c + 1);
  });
}

for (const samples of [300, 1000])
  test(`the levels that a row does not have are no noise with ${samples} samples`, async () => {
    const table = await levelsTable();
    const truth = trueWeights(table);
    const errorOf = async (adjust) => {
      let error = 0;
      for (let seed = 0; seed < 5; seed++) {
        const { weights } = await explainRow(['a', 'a', 'a', 'a', 'a'], (batch) => batch.rows.map(answer), {
          ...{ table, samples, seed, adjust, sampling: 'independent', method: 'lime', features: 'all' },
          ...{ ridge: 0.001, draws: 0, agreement: 0 },
        });
        error += weights.reduce((sum, weight, c) => sum + (weight - truth[c]) ** 2, 0);
      }
      return error;
    };
    const [adjusted, plain] = [await errorOf('auto'), await errorOf('none')];
    assert.ok(adjusted < plain / 20, `squared errors ${adjusted} and ${plain}`);
  });
