// Tests that any hash of a link gives a valid state of the demo page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeError } from '../../examples/dashboard/explain-applicant.js';
import { modelNamed } from '../../web/model-loaders.js';
import { defaultsOf, hashOf, optionsOf, stateOf, TABS } from '../../web/page-state.js';
import { HOSTILE_STRINGS } from '../support/drawing/hostile-strings.js';

/** The names that every object has by inheritance. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

/** Checks that a state has the fields of its tab, and values of the same type. */
function checkState({ state, problem }, hash) {
  assert.ok(Object.hasOwn(TABS, state.tab), hash);
  const defaults = defaultsOf(state.tab);
  assert.equal(Object.getPrototypeOf(state), Object.prototype);
  assert.deepEqual(Object.keys(state), Object.keys(defaults), hash);
  for (const [name, value] of Object.entries(state))
    assert.equal(typeof value, typeof defaults[name], `${hash}: ${name}`);
  if (problem) assert.deepEqual(state, defaults);
  assert.ok(problem === null || problem.length < 140, problem);
  optionsOf(state);
  return problem;
}

test('a name that every object inherits is an unknown setting and an unknown tab', () => {
  for (const name of INHERITED) {
    for (const hash of [
      `#${name}=1`,
      `#${name}`,
      `#tab=rows&${name}=x`,
      `#tab=${name}`,
      `#model=${name}`,
      `#method=${name}`,
    ])
      assert.match(checkState(stateOf(hash), hash), /^This link (has an unknown setting|names a tab)/, hash);
  }
  assert.equal(Object.hasOwn(Object.prototype, 'x'), false);
});

test('hostile strings as hashes, names, tabs and values give a valid state', () => {
  const names = Object.keys({ ...defaultsOf('words'), ...defaultsOf('garments'), ...defaultsOf('rows') });
  for (const string of HOSTILE_STRINGS) {
    const escaped = encodeURIComponent(string.toWellFormed());
    checkState(stateOf(`#${string}`), string);
    checkState(stateOf(`#${escaped}=${escaped}`), string);
    for (const tab of Object.keys(TABS))
      for (const name of names) {
        const problem = checkState(stateOf(`#tab=${tab}&${name}=${escaped}`), `${tab} ${name} ${string.slice(0, 40)}`);
        // Only a text may be anything.
        if (name !== 'text' && name !== 'tab' && !/^([\d.]*|true|false)$/.test(string))
          assert.ok(problem, `${name}=${string}`);
      }
  }
});

test('values outside the ranges of the forms are refused, and all values inside are kept', () => {
  for (const wrong of [
    'samples=19',
    'samples=5001',
    'players=0',
    'players=7',
    'features=51',
    'seed=1000000',
    'seed=-1',
  ])
    assert.match(stateOf(`#${wrong}`).problem, /unknown setting or value/, wrong);
  for (const wrong of [
    'gamma=1e999',
    'gamma=-1',
    'gamma=0x1',
    'tab=rows&row=1,2,3,4,5',
    'tab=rows&row=1,,2',
    'unit=pixel',
  ])
    assert.match(stateOf(`#${wrong}`).problem, /unknown setting or value/, wrong);
  const states = [
    {
      ...defaultsOf('words'),
      model: 'network',
      text: 'a\n"b"&=',
      samples: 5000,
      players: 6,
      gamma: '1e-7',
      seed: 999999,
    },
    { ...defaultsOf('garments'), unit: 'pixel', sample: 3, features: 50, kernelWidth: '.5', method: 's-lime' },
    { ...defaultsOf('rows'), row: '5.1,3.5,1.4,0.2', environments: 'clusters', steady: false },
  ];
  for (const state of states) assert.deepEqual(stateOf(hashOf(state)), { state, problem: null });
});

test('a model or an error code with an inherited name is unknown', async () => {
  for (const name of INHERITED) {
    await assert.rejects(modelNamed(name), RangeError);
    assert.equal(describeError({ code: name, message: 'no' }), 'Something went wrong: no.');
  }
});
