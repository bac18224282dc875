// The rows, the table and the model of the fleet's campaigns. Every process computes the same.
import { describeTable } from 'linex';

/** Row i of an endless table. @param {number} i */
export const rowAt = (i) => [
  20 + ((i * 7) % 50),
  15000 + ((i * 7919) % 60000),
  ['own', 'rent', 'let'][i % 3],
  (i * 31) % 17,
];

export const rows = (count) => Array.from({ length: count }, (_, i) => rowAt(i));

export const options = async () => ({
  table: await describeTable(rows(300), { columns: ['age', 'income', 'home', 'years'], categorical: ['home'] }),
  // Cheap rows: the campaigns are about the fleet.
  ...{ preset: 'paper', samples: 200, draws: 20, seed: 3 },
});

/** Row 100 fails, so that errors are part of what must come back. */
export function predict(batch) {
  const [first] = batch.rows;
  if (first[0] === rowAt(100)[0] && first[1] === rowAt(100)[1]) throw new Error('no answer for this one');
  return batch.rows.map(
    ([age, income, home, years]) =>
      1 / (1 + Math.exp(4 - income / 12000 - age / 100 - (home === 'own') - Math.sin(years / 3))),
  );
}

/** A result as a line that does not depend on the machine. */
export const lineOf = (result) =>
  result instanceof Error
    ? JSON.stringify({ error: result.message, code: result.code })
    : JSON.stringify({ ...result, milliseconds: undefined });
