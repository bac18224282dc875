// A user's module for a pool: a model, and a neighborhood that cannot be sent in a message.
import { describeTable, forestNeighborhood } from 'linex';
import { applicants, categorical, columns, predict } from '../../../examples/dashboard/loans.js';

export { predict };
export const table = await describeTable(applicants, { columns, categorical });
const responses = predict({ rows: applicants }).map(([, approved]) => approved);
export const neighborhood = await forestNeighborhood(table, responses, { trees: 10, seed: 2 });
