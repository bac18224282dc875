// Reads Parquet and Arrow files, by packages that the user installs.
import { createReadStream } from 'node:fs';
import * as zlib from 'node:zlib';
import { messageOf } from '../core/errors.js';
import { CommandFailure } from './command-failure.js';
import { importOptional } from './optional-package.js';

/** Rows of a Parquet file that are read at once. */
const ROWS_AT_ONCE = 4096;

/**
 * @typedef {{ columns: string[], batches: () => AsyncGenerator<unknown[][]> }} Columns
 */

/**
 * Says which file an error of a package is about.
 *
 * @param {unknown} error
 * @param {string} name
 * @returns {CommandFailure}
 */
function unreadable(error, name) {
  if (error instanceof CommandFailure) return error;
  const message = messageOf(error);
  const advice = /codec|compress/i.test(message) ? '; save it without compression' : '';
  return new CommandFailure(`could not read ${name}: ${message}${advice}`);
}

/**
 * Opens a file, with errors that name it.
 *
 * @param {string} name
 * @param {() => Promise<Columns>} open
 * @returns {Promise<Columns>}
 */
async function openNamed(name, open) {
  try {
    const { columns, batches } = await open();
    return {
      columns,
      async *batches() {
        try {
          yield* batches();
        } catch (error) {
          throw unreadable(error, name);
        }
      },
    };
  } catch (error) {
    throw unreadable(error, name);
  }
}

/**
 * Reads a Parquet file.
 *
 * @param {string} path
 * @param {string} name  what errors call it
 * @returns {Promise<Columns>}
 * @throws {CommandFailure}
 */
export const openParquet = (path, name) =>
  openNamed(name, async () => {
    const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await importOptional(
      ['hyparquet'],
      `read ${name}`,
    );
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const columns = metadata.schema[0].num_children ? topColumns(metadata.schema) : /** @type {string[]} */ ([]);
    const rowCount = Number(metadata.num_rows);
    const compressors = await findCompressors(metadata, name);
    return {
      columns,
      async *batches() {
        for (let rowStart = 0; rowStart < rowCount; rowStart += ROWS_AT_ONCE) {
          const rowEnd = Math.min(rowCount, rowStart + ROWS_AT_ONCE);
          const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors });
          yield rows.map((/** @type {any} */ row) => columns.map((column) => row[column]));
        }
      },
    };
  });

/** Node has it since 22.15. */
function zstd() {
  const { zstdDecompressSync } = /** @type {any} */ (zlib);
  return zstdDecompressSync && { ZSTD: zstdDecompressSync };
}

/** Compressions of Parquet that Node can undo. The first two need nothing. */
const NODE_CODECS = Object.freeze({
  ...{ UNCOMPRESSED: undefined, SNAPPY: undefined },
  GZIP: zlib.gunzipSync,
  BROTLI: zlib.brotliDecompressSync,
  ...zstd(),
});

/**
 * What undoes the compression of a Parquet file.
 *
 * @param {any} metadata
 * @param {string} name
 * @returns {Promise<Record<string, any>>}
 */
async function findCompressors(metadata, name) {
  const codecs = metadata.row_groups.flatMap((/** @type {any} */ group) =>
    group.columns.map((/** @type {any} */ column) => column.meta_data?.codec),
  );
  const strange = codecs.find((/** @type {any} */ codec) => codec !== undefined && !Object.hasOwn(NODE_CODECS, codec));
  if (strange === undefined) return NODE_CODECS;
  const purpose = `read ${name}, which is compressed by ${strange}`;
  return (await importOptional(['hyparquet-compressors'], purpose)).compressors;
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
 * @returns {Promise<Columns>}
 * @throws {CommandFailure}
 */
export const openArrow = (path, name) =>
  openNamed(name, async () => {
    const { DataType, RecordBatchReader } = await importOptional(['apache-arrow'], `read ${name}`);
    const open = async () => (await RecordBatchReader.from(createReadStream(path))).open();
    const first = await open();
    const { fields } = first.schema;
    await first.cancel();
    // The package gives milliseconds; Parquet files and JSON have dates.
    const readers = fields.map((/** @type {any} */ { type }) =>
      DataType.isDate(type) || DataType.isTimestamp(type)
        ? (/** @type {any} */ cell) => (cell === null ? null : new Date(Number(cell)))
        : (/** @type {any} */ cell) => cell,
    );
    return {
      columns: fields.map((/** @type {any} */ field) => String(field.name)),
      async *batches() {
        for await (const batch of await open()) {
          const vectors = readers.map((/** @type {any} */ _, /** @type {number} */ c) => batch.getChildAt(c));
          yield Array.from({ length: batch.numRows }, (_, i) =>
            vectors.map((/** @type {any} */ one, /** @type {number} */ c) => readers[c](one.get(i))),
          );
        }
      },
    };
  });
