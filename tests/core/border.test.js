// The border between JavaScript and C: js/core/border.js and src/wasm.h must describe the same functions and records.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as border from '../../js/core/border.js';
import { Scope } from '../../js/core/memory.js';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** What JavaScript passes for a parameter of a C type. */
const KINDS = {
  'double *': 'Doubles',
  'uint32_t *': 'Indices',
  'size_t *': 'Indices',
  'linex_forest * *': 'Indices',
  'linex_task * *': 'Indices',
  'float *': 'Floats',
  'uint8_t *': 'Bytes',
  'linex_forest *': 'ForestHandle',
  'linex_task *': 'TaskHandle',
  size_t: 'number',
  double: 'number',
  linex_mask_kind: 'number',
  linex_mask_distance: 'number',
  linex_link: 'number',
  linex_sampling: 'number',
};
/** A C pointer to anything: JavaScript knows what it passes. */
const ANY = 'void *';

/** C functions by name: the kind and the name of each parameter. */
function functionsInC(...headers) {
  const found = new Map();
  for (const header of headers) {
    const text = read(header).replace(/\/\*[\s\S]*?\*\//g, '');
    for (const [, name, list] of text.matchAll(/^[\w *]+?\b(linex_\w+)\(([^()]*)\);/gm)) {
      const parameters = list.split(',').map((parameter) => {
        const [, type, own] = parameter.replace(/\bconst\b/g, '').match(/^\s*(.*?)(\w+)\s*$/s);
        return { type: type.replace(/\s+/g, ' ').replace(/ ?\*/g, ' *').trim(), name: camel(own) };
      });
      found.set(name, list.trim() === 'void' ? [] : parameters);
    }
  }
  return found;
}

/** The functions that border.js describes. */
function functionsInJS() {
  const found = new Map();
  for (const [, list, name] of read('js/core/border.js').matchAll(
    /^ \* @property \{\((.*)\) => \w+\} (linex_\w+)$/gm,
  )) {
    const parameters = list === '' ? [] : list.split(', ').map((one) => one.split(': '));
    found.set(
      name,
      parameters.map(([own, type]) => ({ name: own, kinds: type.split(' | ') })),
    );
  }
  return found;
}

const inC = functionsInC('src/wasm.h', 'src/linex.h', 'src/linex_data.h');
const inJS = functionsInJS();
const exported = new Set(
  ['core', 'adjust', 'kriging', 'masks', 'wide', 'image', 'data', 'shapley'].flatMap((list) =>
    read(`src/${list}.exports`)
      .trim()
      .split('\n')
      .map((line) => line.slice(1)),
  ),
);

test('border.js describes every exported function, and no other', () => {
  assert.ok(exported.size > 30);
  assert.deepEqual([...inJS.keys()].sort(), [...exported].sort());
});

test('every parameter has the name and the kind that C gives it', () => {
  for (const [name, parameters] of inJS) {
    const expected = inC.get(name);
    assert.ok(expected, `${name} is in no header`);
    assert.deepEqual(
      parameters.map((parameter) => parameter.name),
      expected.map((parameter) => parameter.name),
      name,
    );
    parameters.forEach(({ kinds }, i) => {
      const { type } = expected[i];
      assert.ok(type === ANY || type in KINDS, `${name}: unknown C type ${type}`);
      if (type === ANY) return;
      assert.ok(
        kinds.every((kind) => kind === KINDS[type] || kind === 'None'),
        `${name}: ${kinds} for ${type}`,
      );
    });
  }
});

test('no call has more than eight arguments', () => {
  for (const [name, parameters] of inJS) assert.ok(parameters.length <= 8, `${name} has ${parameters.length}`);
});

test('records have the same fields in the same order on both sides', () => {
  const records = new Map();
  const macros = read('src/wasm.h')
    .replace(/\\\n/g, '')
    .matchAll(/^#define (\w+)_RECORD\(F\)(.*)$/gm);
  for (const [, name, fields] of macros) {
    const all = [...fields.matchAll(/F\((\w+), (\w+)\)/g)];
    for (const [, record] of all) assert.equal(record, name);
    records.set(
      name,
      all.map(([, , field]) => camel(field)),
    );
  }
  assert.ok(records.size > 15);
  const listed = Object.entries(border).filter(([, fields]) => Array.isArray(fields));
  assert.deepEqual(
    Object.fromEntries(listed.map(([name, fields]) => [name, [...fields]])),
    Object.fromEntries(records),
  );
});

test('constants of the header have the same value on both sides', () => {
  const names = read('src/linex.h').match(/enum \{([^}]*)\bLINEX_LAW_SIZE\b/)[1];
  assert.equal(border.LAW_SIZE, names.match(/\bLINEX_LAW_\w+,/g).length);
});

/** The kinds of the fields of each record, as wasm.c reads them. */
function kindsInC() {
  const text = read('src/wasm.c').replace(/\s+/g, ' ');
  const kinds = new Map();
  const pattern =
    /(ADDRESS\((?:const )?([\w ]+?(?: \*const)?) \*, )?\w+\[([A-Z]+(?:_[A-Z]+)*)_([a-z]\w*)\]\)?( != 0)?/g;
  for (const [, address, type, record, field, flag] of text.matchAll(pattern)) {
    const pointed = { double: 'Doubles', uint32_t: 'Indices', float: 'Floats', uint8_t: 'Bytes', void: 'Bytes' };
    // An array of pointers is an array of 32-bit numbers.
    const kind = address ? (type.includes('*') ? 'Indices' : pointed[type]) : flag ? 'boolean' : 'number';
    const name = `${record}.${camel(field)}`;
    // The trees are written as numbers and read as addresses.
    if (!kinds.has(name) || kinds.get(name) === 'number') kinds.set(name, kind);
  }
  return kinds;
}

test('every field of a record has the kind that wasm.c reads', () => {
  const inWasm = kindsInC();
  const described = new Map();
  const pattern =
    /@typedef \{object\} (\w+)Record\n((?: \* @property .*\n)+) \*\/\n\/\/ prettier-ignore\nexport const (\w+)/g;
  for (const [, , properties, record] of read('js/core/border.js').matchAll(pattern)) {
    const fields = [...properties.matchAll(/@property \{([\w |]+)\} (\w+)/g)];
    assert.deepEqual(
      fields.map(([, , field]) => field),
      [...border[record]],
      record,
    );
    for (const [, kind, field] of fields) described.set(`${record}.${field}`, kind.replace(' | None', ''));
  }
  assert.ok(described.size > 100);
  assert.deepEqual([...described].sort(), [...inWasm].sort());
});

test('each status of a failure becomes the error with its meaning', () => {
  const header = read('src/linex_data.h');
  const statuses = header.match(/typedef enum \{([^}]*)\} linex_status;/)?.[1].match(/LINEX_\w+/g) ?? [];
  const codes = { LINEX_NO_MEMORY: 'memory', LINEX_DEGENERATE: 'degenerate', LINEX_OVERFLOW: 'overflow' };
  const scope = new Scope(/** @type {any} */ ({}));
  scope.check(/** @type {any} */ (0));
  for (const [name, code] of Object.entries(codes)) {
    const status = /** @type {any} */ (statuses.indexOf(name));
    assert.throws(() => scope.check(status), { name: 'LinexError', code });
  }
  assert.throws(() => scope.check(/** @type {any} */ (1)), RangeError);
});
