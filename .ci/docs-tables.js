// npm run docs:tables: computes the tables of web/docs/ideas/tables again, in about a minute.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { countChangingSigns } from '../tests/support/pages/demo-signs.js';
import * as tables from '../tests/support/doc-tables.js';
import { measureDefaults, measurePaperReading, solveBothWays } from '../tests/support/iris-study.js';
import { root } from './setup.js';

const report = JSON.parse(readFileSync(new URL('tests/paper/report.json', root), 'utf8'));
const files = {
  'environments.md': tables.environmentsPage(report),
  'demo-signs.md': tables.demoSignsPage(await countChangingSigns()),
  'iris.md': tables.irisPage([
    tables.irisDefaults(await measureDefaults()),
    tables.irisPaperReading(await measurePaperReading()),
    tables.irisRounds(await solveBothWays()),
  ]),
};
mkdirSync(tables.TABLES, { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, tables.TABLES), text);
