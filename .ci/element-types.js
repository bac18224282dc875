// Writes what editors and frameworks know of the elements: custom-elements.json, and the types of their tags.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';
import * as charts from '../js/charts.js';
import * as elements from '../js/elements.js';
import { root } from './setup.js';

/** The types of the attributes. */
const ATTRIBUTES = {
  palette: "'blue-orange' | 'purple-orange' | 'red-blue'",
  theme: "'auto' | 'light' | 'dark'",
  locale: 'string',
  'full-weight': 'number | string',
  view: "'contribution' | 'slope'",
  order: "'size' | 'given'",
  mode: "'heatmap' | 'outlines'",
  opacity: 'number | string',
  sign: "'both' | 'positive' | 'negative'",
  features: 'number | string',
  feature: 'number | string',
};
const FOCUS = "import('./elements/interactive-figure.js').FeatureFocus";

/** `linex-bars` for `LinexBars`. */
const tagOf = (name) => `linex-${name.slice('Linex'.length).toLowerCase()}`;

/** The class and its properties, without those that only other elements of its family have. */
function describe([name, element]) {
  const has = (property) => {
    for (let one = element.prototype; one; one = Object.getPrototypeOf(one))
      if (Object.hasOwn(one, property)) return true;
    return false;
  };
  const unknown = element.observedAttributes.find((attribute) => !Object.hasOwn(ATTRIBUTES, attribute));
  if (unknown) throw new Error(`ATTRIBUTES in .ci/element-types.js has no ${unknown}`);
  return { name, tag: tagOf(name), attributes: element.observedAttributes, properties: element.properties.filter(has) };
}

/** The description of each class in a file of js/elements/, from its comment. */
function descriptionsIn(path) {
  const source = ts.createSourceFile(path, readFileSync(new URL(path, root), 'utf8'), ts.ScriptTarget.ESNext, true);
  const classes = source.statements.filter(ts.isClassDeclaration);
  return classes.map((one) => {
    const [doc] = ts.getJSDocCommentsAndTags(one);
    return [one.name.text, ts.getTextOfJSDocComment(doc?.comment) ?? ''];
  });
}

/** The manifest, as github.com/webcomponents/custom-elements-manifest describes it. */
function manifestOf(described, path) {
  const files = ['bars', 'image', 'text', 'charts'].map((name) => `js/elements/element-${name}.js`);
  const descriptions = new Map(files.flatMap(descriptionsIn));
  const declarations = described.map(({ name, tag, attributes, properties }) => ({
    kind: 'class',
    customElement: true,
    name,
    tagName: tag,
    description: descriptions.get(name),
    superclass: { name: 'HTMLElement' },
    attributes: attributes.map((attribute) => ({ name: attribute, type: { text: ATTRIBUTES[attribute] } })),
    members: [
      ...properties.map((property) => ({ kind: 'field', name: property, type: { text: `${name}['${property}']` } })),
      { kind: 'method', name: 'toSVG', return: { type: { text: 'string' } } },
      { kind: 'method', name: 'toPNG', return: { type: { text: 'Promise<Blob>' } } },
    ],
    events: [{ name: 'feature-focus', type: { text: 'CustomEvent<FeatureFocus>' } }],
  }));
  const exported = described.flatMap(({ name, tag }) => [
    { kind: 'js', name, declaration: { name, module: path } },
    { kind: 'custom-element-definition', name: tag, declaration: { name, module: path } },
  ]);
  return { kind: 'javascript-module', path, declarations, exports: exported };
}

/** The types of the tags: for the DOM, and where they are installed for React, Vue and Svelte. */
function typesOf(described) {
  const each = (line) => described.map(line).join('\n');
  const props = each(({ name, attributes, properties }) => {
    const of = attributes.map((attribute) => `  '${attribute}'?: ${ATTRIBUTES[attribute]};`);
    const own = properties.map((property) => `  ${property}?: ${name}['${property}'];`);
    return `/** What a tag of ${name} takes. */\nexport interface ${name}Props {\n${[...of, ...own].join('\n')}\n}`;
  });
  return `
${props}
type OnFocus = (event: CustomEvent<${FOCUS}>) => void;
declare global {
  interface HTMLElementTagNameMap {
${each(({ name, tag }) => `    '${tag}': ${name};`)}
  }
  interface HTMLElementEventMap {
    'feature-focus': CustomEvent<${FOCUS}>;
  }
}
// @ts-ignore: React may not be installed
type InReact<E> = import('react').DetailedHTMLProps<import('react').HTMLAttributes<E>, E>;
// @ts-ignore: React may not be installed
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
${each(({ name, tag }) => `      '${tag}': Omit<InReact<${name}>, keyof ${name}Props> & ${name}Props & { 'onfeature-focus'?: OnFocus };`)}
    }
  }
}
// @ts-ignore: Vue may not be installed
declare module 'vue' {
  interface GlobalComponents {
${each(({ name, tag }) => `    '${tag}': new () => { $props: ${name}Props & { onFeatureFocus?: OnFocus } };`)}
  }
}
// @ts-ignore: Svelte may not be installed
type InSvelte<E extends any> = import('svelte/elements').HTMLAttributes<E>;
// @ts-ignore: Svelte may not be installed
declare module 'svelte/elements' {
  interface SvelteHTMLElements {
${each(({ name, tag }) => `    '${tag}': Omit<InSvelte<${name}>, keyof ${name}Props> & ${name}Props & { 'onfeature-focus'?: OnFocus };`)}
  }
}
`;
}

const entries = { 'js/elements.js': elements, 'js/charts.js': charts };
const modules = Object.entries(entries).map(([path, classes]) => {
  const described = Object.entries(classes).map(describe);
  appendFileSync(new URL(`types/${path.slice('js/'.length, -'.js'.length)}.d.ts`, root), typesOf(described));
  return manifestOf(described, path);
});
const manifest = { schemaVersion: '1.0.0', readme: 'README.md', modules };
writeFileSync(new URL('custom-elements.json', root), `${JSON.stringify(manifest, null, 2)}\n`);
