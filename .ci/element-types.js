// Writes what editors and frameworks know of the elements: custom-elements.json, and the types of their tags.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import * as charts from '../js/charts.js';
import * as elements from '../js/elements.js';
import { PLAIN_ROLES } from '../js/render/palette.js';
import { root } from './setup.js';

/** The attributes: their types, defaults and meanings. */
const ATTRIBUTES = {
  palette: { type: "'blue-orange' | 'purple-orange' | 'red-blue'", default: 'blue-orange', meaning: 'The two colors: what raises the answer, and what lowers it.' },
  theme: { type: "'auto' | 'light' | 'dark'", default: 'auto', meaning: 'Light or dark; `auto` follows the `color-scheme` of the page.' },
  locale: { type: 'string', default: 'en', meaning: 'The language in which numbers and lists are written.' },
  'full-weight': { type: 'number | string', meaning: 'The effect that gets the full color or the longest bar; default the largest of the explanation. Set it to compare elements.' },
  view: { type: "'contribution' | 'slope'", default: 'contribution', meaning: '`contribution`: why the answer is what it is; `slope`: what would happen if a value grew.' },
  order: { type: "'size' | 'given'", default: 'size', meaning: 'The largest effects first, or the order of `features`.' },
  mode: { type: "'heatmap' | 'outlines'", default: 'heatmap', meaning: 'Whether segments are colored or outlined.' },
  opacity: { type: 'number | string', meaning: 'Of the colors over the image, from 0 to 1; default 0.8, for outlines 1.' },
  sign: { type: "'both' | 'positive' | 'negative'", default: 'both', meaning: 'Which segments are shown.' },
  features: { type: 'number | string', default: '12', meaning: 'The most features that are shown.' },
  feature: { type: 'number | string', meaning: 'The name or the index of the feature that is shown. Without it, nothing is drawn.' },
}; // prettier-ignore

/** Defaults that differ from those above. */
const OWN_DEFAULTS = { LinexSteadiness: { view: 'slope' } };

/** What `::part` can style. tests/browser/element-parts.test.js compares them with what the elements draw. */
const PARTS = {
  figure: 'The frame.',
  stage: 'What is drawn.',
  tooltip: 'What appears beside the feature that the reader points at.',
  text: 'The text.',
  word: 'A word that can have an effect.',
  canvas: 'The image.',
  legend: 'The key to the colors.',
  details: 'The technical details below the picture.',
};
const CHART_PARTS = ['figure', 'stage', 'tooltip'];
const PARTS_OF = {
  LinexText: [...CHART_PARTS, 'text', 'word', 'legend', 'details'],
  LinexImage: [...CHART_PARTS, 'canvas', 'legend', 'details'],
  LinexBars: [...CHART_PARTS, 'details'],
};

/** What the custom properties set, by the roles of the colors. */
const PROPERTIES = {
  ground: 'The background.',
  ink: 'Text.',
  muted: 'Less important text.',
  line: 'Borders and axes.',
};

const FOCUS = "import('./elements/interactive-figure.js').FeatureFocus";

/** `linex-bars` for `LinexBars`. */
const tagOf = (name) => `linex-${name.slice('Linex'.length).toLowerCase()}`;

/** The CSS custom properties of every element: the font, and the colors that palettes share. */
const CUSTOM_PROPERTIES = [
  { name: '--linex-font', description: 'The font family.' },
  ...PLAIN_ROLES.map((role) => {
    if (!PROPERTIES[role]) throw new Error(`PROPERTIES in .ci/element-types.js has no ${role}`);
    return { name: `--linex-${role}`, description: PROPERTIES[role] };
  }),
];

/** The class and its properties, without those that only other elements of its family have. */
function describe([name, element]) {
  const has = (property) => {
    for (let one = element.prototype; one; one = Object.getPrototypeOf(one))
      if (Object.hasOwn(one, property)) return true;
    return false;
  };
  const unknown = element.observedAttributes.find((attribute) => !Object.hasOwn(ATTRIBUTES, attribute));
  if (unknown) throw new Error(`ATTRIBUTES in .ci/element-types.js has no ${unknown}`);
  const [attributes, properties] = [element.observedAttributes, element.properties.filter(has)];
  return { name, element, tag: tagOf(name), attributes, properties };
}

const textOf = (node) => ts.getTextOfJSDocComment(ts.getJSDocCommentsAndTags(node)[0]?.comment) ?? '';

/** The description of each class in a file of js/elements/, and of its members as `Class.member`, from their comments. */
function descriptionsIn(path) {
  const source = ts.createSourceFile(path, readFileSync(new URL(path, root), 'utf8'), ts.ScriptTarget.ESNext, true);
  return source.statements.filter(ts.isClassDeclaration).flatMap((one) => {
    const members = one.members.map((member) => [`${one.name.text}.${member.name?.getText()}`, textOf(member)]);
    return [[one.name.text, textOf(one)], ...members.filter(([, text]) => text)];
  });
}

/** The description of a member, from the nearest class that describes it. */
function memberText(element, name, descriptions) {
  for (let one = element; one?.name; one = Object.getPrototypeOf(one)) {
    const text = descriptions.get(`${one.name}.${name}`);
    if (text) return text;
  }
  throw new Error(`${element.name}.${name} has no description`);
}

/** The manifest, as github.com/webcomponents/custom-elements-manifest describes it. */
function manifestOf(described, path) {
  const names = [
    'element-bars',
    'element-image',
    'element-text',
    'element-charts',
    'element-base',
    'interactive-figure',
  ];
  const descriptions = new Map(names.flatMap((name) => descriptionsIn(`js/elements/${name}.js`)));
  const declarations = described.map(({ name, element, tag, attributes, properties }) => ({
    kind: 'class',
    customElement: true,
    name,
    tagName: tag,
    description: descriptions.get(name),
    superclass: { name: 'HTMLElement' },
    attributes: attributes.map((attribute) => {
      const { type, meaning, default: usual } = ATTRIBUTES[attribute];
      const value = OWN_DEFAULTS[name]?.[attribute] ?? usual;
      return { name: attribute, description: meaning, type: { text: type }, ...(value && { default: value }) };
    }),
    members: [
      ...properties.map((property) => ({
        kind: 'field',
        name: property,
        description: memberText(element, property, descriptions),
        type: { text: `${name}['${property}']` },
      })),
      ...Object.entries({ toSVG: 'string', toPNG: 'Promise<Blob>' }).map(([method, type]) => ({
        kind: 'method',
        name: method,
        description: memberText(element, method, descriptions),
        return: { type: { text: type } },
      })),
    ],
    events: [
      {
        name: 'feature-focus',
        description: 'The reader has pointed at a feature or has focused it. It bubbles and crosses shadow roots.',
        type: { text: 'CustomEvent<FeatureFocus>' },
      },
    ],
    cssProperties: CUSTOM_PROPERTIES,
    cssParts: (PARTS_OF[name] ?? CHART_PARTS).map((part) => ({ name: part, description: PARTS[part] })),
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
    const of = attributes.map((attribute) => `  '${attribute}'?: ${ATTRIBUTES[attribute].type};`);
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

const ENTRIES = { 'js/elements.js': elements, 'js/charts.js': charts };

/** What custom-elements.json holds. */
export function makeManifest() {
  const modules = Object.entries(ENTRIES).map(([path, classes]) =>
    manifestOf(Object.entries(classes).map(describe), path),
  );
  return { schemaVersion: '1.0.0', readme: 'README.md', modules };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, classes] of Object.entries(ENTRIES)) {
    const declarations = `types/${path.slice('js/'.length, -'.js'.length)}.d.ts`;
    appendFileSync(new URL(declarations, root), typesOf(Object.entries(classes).map(describe)));
  }
  writeFileSync(new URL('custom-elements.json', root), `${JSON.stringify(makeManifest(), null, 2)}\n`);
}
