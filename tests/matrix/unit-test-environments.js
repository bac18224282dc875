// Test runners with a simulated DOM in the matrix: elements are imported and hold an explanation.
const TEST = (imports) => `${imports}import { check } from './check.js';
import * as linex from 'linex';
import { LinexBars } from 'linex/elements';
import 'linex/charts';
test('linex', async () => {
  const element = document.createElement('linex-bars');
  expect(element).toBeInstanceOf(LinexBars);
  element.explanation = await linex.explainText('a tale', (texts) => texts.map((text) => text.length));
  expect(element.explanation.features.length).toBe(2);
  expect(customElements.get('linex-waterfall')).toBeDefined();
  console.log('weights ' + (await check(linex)) + ' end');
});
`;
/** The weights among the output of a test runner. */
const weightsIn = (output) => output.match(/weights (.*) end/)?.[1] ?? output;

const vitest = (environment, packages) => ({
  id: `vitest-${environment}`,
  name: `vitest 3.2.4, ${environment} ${packages[environment]}`,
  packages: { vitest: '3.2.4', vite: '7.1.12', ...packages },
  files: { 'linex.test.js': TEST("import { expect, test } from 'vitest';\n") },
  run: async (folder) =>
    weightsIn(
      await folder.run('.bin/vitest', [
        'run',
        `--environment=${environment}`,
        '--root=.',
        '--disable-console-intercept',
      ]),
    ),
});
const jest = (environment, module, packages) => ({
  id: `jest-${environment}`,
  name: `jest 30.5.2, ${environment}`,
  line: '`NODE_OPTIONS=--experimental-vm-modules`, because linex is ES modules',
  packages: { jest: '30.5.2', ...packages },
  manifest: { jest: { testEnvironment: module, transform: {} } },
  files: { 'linex.test.js': TEST('') },
  run: async (folder) =>
    weightsIn(
      await folder.run(process.execPath, [
        '--experimental-vm-modules',
        'node_modules/jest/bin/jest.js',
        '--rootDir=.',
        '--silent=false',
      ]),
    ),
});

export const TEST_RUNNERS = [
  {
    id: 'elements-node',
    name: `\`import 'linex/elements'\` in Node ${process.versions.node}, without a DOM`,
    files: {
      'main.js':
        "import { LinexBars } from 'linex/elements';\nimport 'linex/charts';\nimport * as linex from 'linex';\nimport { check } from './check.js';\nif (typeof LinexBars !== 'function') throw new Error('no class');\nconsole.log(await check(linex));\n",
    },
    run: (folder) => folder.node('main.js'),
  },
  vitest('jsdom', { jsdom: '26.1.0' }),
  vitest('happy-dom', { 'happy-dom': '20.14.5' }),
  jest('jsdom', 'jest-environment-jsdom', { 'jest-environment-jsdom': '30.5.2' }),
  jest('happy-dom', '@happy-dom/jest-environment', { '@happy-dom/jest-environment': '20.14.5' }),
];
