// Reads Parquet and Arrow files, by packages that the user installs.
import { createReadStream } from 'node:fs';
import { importOptional } from './optional-package.js';

/** Rows of a Parquet file that are read at once. */
const ROWS_AT_ONCE = 4096;

/**
 * Reads a Parquet file.
 *
 * @param {string} path
 * @param {string} name  what errors call it
 * @returns {Promise<{ columns: string[], batches: () => AsyncGenerator<unknown[][]> }>}
 */
export async function openParquet(path, name) {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await importOptional(
    ['hyparquet'],
    `read ${name}`,
  );
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const columns = metadata.schema[0].num_children ? topColumns(metadata.schema) : /** @type {string[]} */ ([]);
  const rowCount = Number(metadata.num_rows);
  return {
    columns,
    async *batches() {
      for (let rowStart = 0; rowStart < rowCount; rowStart += ROWS_AT_ONCE) {
        const rowEnd = Math.min(rowCount, rowStart + ROWS_AT_ONCE);
        const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd });
        yield rows.map((/** @type {any} */ row) => columns.map((column) => row[column]));
      }
    },
  };
}

/** The columns at the top of a Parquet schema, which is a tree written as a list. @param {any[]} schema */
function topColumns(schema) {
  const names = [];
  let at = 1;
  const skip = () => {
    const { num_children: children = 0 } = schema[at++];
    for (let i = 0; i < children; i++) skip();
  };
  while (at < schema.length) {
    names.push(/** @type {string} */ (schema[at].name));
    skip();
  }
  return names;
}

/**
 * Reads an Arrow file or stream (Feather 2 too).
 *
 * @param {string} path
 * @param {string} name  what errors call it
 * @returns {Promise<{ columns: string[], batches: () => AsyncGenerator<unknown[][]> }>}
 */
export async function openArrow(path, name) {
  const { RecordBatchReader } = await importOptional(['apache-arrow'], `read ${name}`);
  const open = async () => (await RecordBatchReader.from(createReadStream(path))).open();
  const first = await open();
  const columns = first.schema.fields.map((/** @type {any} */ field) => String(field.name));
  await first.cancel();
  return {
    columns,
    async *batches() {
      for await (const batch of await open()) {
        const vectors = columns.map((/** @type {string} */ _, /** @type {number} */ c) => batch.getChildAt(c));
        yield Array.from({ length: batch.numRows }, (_, i) => vectors.map((/** @type {any} */ one) => one.get(i)));
      }
    },
  };
}
