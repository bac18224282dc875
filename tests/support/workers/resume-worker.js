// One explanation of over 1,000 queries against a server, with a file cache; a process that tests kill and start again.
import process from 'node:process';
import { explainText } from 'linex';
import { fileCache, fromHTTP, polite } from 'linex/adapters';

const [url, path, text] = process.argv.slice(2);
const predict = polite(fromHTTP(url), { maxBatch: 20, cache: fileCache(path) });
const explanation = await explainText(text, predict, { samples: 1200, batchSize: 100 });
process.stdout.write(JSON.stringify({ ...explanation, milliseconds: undefined }));
