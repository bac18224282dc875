// TypeScript in the matrix: tags in React, Vue and Svelte, a program without the DOM library, and checks of the package.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { run } from './matrix-folder.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const TYPESCRIPT = { typescript: '5.9.3' };
const config = (compilerOptions, include) =>
  JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
      ...compilerOptions,
    },
    include,
  });
/** Runs a type checker: a right program passes, and one with a wrong attribute fails with its name. */
const checked = (command, args, wrong) => async (folder) => {
  await folder.run(command, args);
  folder.write(wrong);
  const said = await folder.run(command, args).catch((error) => error.message);
  const [[name]] = Object.entries(wrong);
  folder.clean(name);
  return /thme|dusk/.test(said) ? 'compiles' : `a wrong attribute compiles: ${said}`;
};

const REACT = (theme) => `import type { TextExplanation } from 'linex';
import 'linex/elements';
import 'linex/charts';
export const View = ({ explanation }: { explanation: TextExplanation }) => (
  <main>
    <linex-text explanation={explanation} theme="${theme}" className="wide" onfeature-focus={({ detail }) => void detail.name} />
    <linex-waterfall explanation={explanation} features={5} />
  </main>
);
`;
const VUE = (theme) => `<script setup lang="ts">
import type { TextExplanation } from 'linex';
import 'linex/elements';
defineProps<{ explanation: TextExplanation }>();
</script>
<template><linex-text :explanation="explanation" theme="${theme}" @feature-focus="({ detail }) => detail.name" /></template>
`;
const SVELTE = (theme) => `<script lang="ts">
  import type { TextExplanation } from 'linex';
  import 'linex/elements';
  let { explanation }: { explanation: TextExplanation } = $props();
</script>
<linex-text {explanation} theme="${theme}" onfeature-focus={({ detail }) => void detail.name}></linex-text>
`;

const FRAMEWORKS = [
  {
    id: 'react-types',
    name: 'React 19.3.1 with TypeScript 5.9.3',
    packages: { ...TYPESCRIPT, react: '19.3.1', '@types/react': '19.3.0' },
    files: {
      'view.tsx': REACT('dark'),
      'tsconfig.json': config({ jsx: 'react-jsx', lib: ['es2022', 'dom'] }, ['*.tsx']),
    },
    expected: 'compiles',
    run: checked('.bin/tsc', ['-p', '.'], { 'wrong.tsx': REACT('dusk') }),
  },
  {
    id: 'vue-types',
    name: 'Vue 3.5.45 with TypeScript 5.9.3',
    line: "`compilerOptions: { isCustomElement: (tag) => tag.startsWith('linex-') }` for Vue's compiler",
    packages: { ...TYPESCRIPT, vue: '3.5.45', 'vue-tsc': '3.3.14' },
    files: { 'View.vue': VUE('dark'), 'tsconfig.json': config({ jsx: 'preserve', lib: ['es2022', 'dom'] }, ['*.vue']) },
    expected: 'compiles',
    run: checked('.bin/vue-tsc', ['-p', '.'], { 'Wrong.vue': VUE('dusk') }),
  },
  {
    id: 'svelte-types',
    name: 'Svelte 5.57.3 with TypeScript 5.9.3',
    packages: { ...TYPESCRIPT, svelte: '5.57.3', 'svelte-check': '4.7.8' },
    files: {
      'View.svelte': SVELTE('dark'),
      'tsconfig.json': config({ lib: ['es2022', 'dom'], verbatimModuleSyntax: true }, ['*.svelte', '*.ts']),
    },
    expected: 'compiles',
    run: checked('.bin/svelte-check', ['--workspace', '.', '--tsconfig', './tsconfig.json', '--fail-on-warnings'], {
      'Wrong.svelte': SVELTE('dusk'),
    }),
  },
  {
    id: 'types-without-dom',
    name: 'TypeScript 5.9.3 without the DOM library and without skipLibCheck',
    packages: TYPESCRIPT,
    files: {
      'main.ts': readFileSync(new URL('../types/without-dom.ts', import.meta.url), 'utf8'),
      'tsconfig.json': config(
        { lib: ['es2022'], skipLibCheck: false, module: 'nodenext', moduleResolution: 'nodenext' },
        ['main.ts'],
      ),
    },
    expected: '',
    run: (folder) => folder.run('.bin/tsc', ['-p', '.']),
  },
];

const CHECKS = [
  {
    id: 'publint',
    name: 'publint 0.3.25: no problem',
    packages: { publint: '0.3.25' },
    files: {},
    expected: 'clean',
    async run(folder) {
      const said = await folder.run('.bin/publint', ['run', 'node_modules/linex', '--strict']);
      return /All good/.test(said) ? 'clean' : said;
    },
  },
  {
    id: 'attw',
    name: 'Are The Types Wrong 0.18.5: no problem',
    packages: { '@arethetypeswrong/cli': '0.18.5' },
    files: {},
    expected: 'clean',
    async run(folder, packed) {
      const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
      const notCode = Object.keys(exports).filter((name) => /\.(wasm|json)$/.test(name));
      await folder.run('.bin/attw', [
        packed,
        '--profile',
        'esm-only',
        '--exclude-entrypoints',
        ...notCode.map((name) => name.slice(2)),
      ]);
      return 'clean';
    },
  },
  {
    id: 'reproducible',
    name: '`npm pack` again, which builds again: the same bytes',
    files: {},
    expected: 'same',
    async run(folder, packed) {
      await run('npm', ['pack', '--pack-destination', folder.path], { cwd: root });
      const hash = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');
      const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
      return hash(packed) === hash(`${folder.path}/linex-${version}.tgz`) ? 'same' : 'different';
    },
  },
];

export const TYPED = [...FRAMEWORKS, ...CHECKS];
