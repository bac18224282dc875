// A process of the fleet's campaigns: node fleet-process.js worker|coordinator '{ …options }'.
import { closeSync, openSync, renameSync, writeSync } from 'node:fs';
import process from 'node:process';
import { joinFleet, openFleet } from 'linex/fleet';
import { lineOf, options, rowAt } from './fleet-rows.js';

const [role, json] = process.argv.slice(2);
const { connection, lockDuration, count, out, kill, model = 'fleet-rows.js' } = JSON.parse(json);
const module = new URL(model, import.meta.url);
const report = (text) => process.stdout.write(`${text}\n`);

if (role === 'worker') {
  await joinFleet({ connection, module, workers: 1, lockDuration, onJob: ({ items }) => report(`job ${items}`) });
  report('ready');
} else {
  const fleet = await openFleet({ connection, module });
  const file = openSync(`${out}.part`, 'w');
  const source = (function* () {
    for (let i = 0; i < count; i++) yield rowAt(i);
  })();
  let written = 0;
  let peak = 0;
  const started = performance.now();
  for await (const result of fleet.explainRows(source, { ...(await options()), errors: 'yield' })) {
    writeSync(file, `${lineOf(result)}\n`);
    written++;
    if (written % 100 === 0) {
      peak = Math.max(peak, process.memoryUsage().rss);
      report(`written ${written}`);
    }
    if (written === kill) process.kill(process.pid, 'SIGKILL');
  }
  const seconds = (performance.now() - started) / 1000;
  closeSync(file);
  renameSync(`${out}.part`, out);
  await fleet.close();
  report(`done ${JSON.stringify({ written, seconds, peak: Math.round(peak / 2 ** 20) })}`);
}
