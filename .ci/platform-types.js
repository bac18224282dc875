// Makes the declarations in types/ compile in programs without the DOM library: they import what they use of the platform.
import { readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import { filesIn, root } from './setup.js';

/** Classes of the platform, with their type in a program that does not know them. */
const CLASSES = {
  AbortSignal:
    '{ readonly aborted: boolean; readonly reason: any; throwIfAborted(): void; ' +
    "addEventListener(type: 'abort', listener: () => void): void; removeEventListener(type: 'abort', listener: () => void): void }",
  URL: '{ readonly href: string; toString(): string }',
  Response: '{ readonly ok: boolean; arrayBuffer(): Promise<ArrayBuffer> }',
  Blob: '{ readonly size: number; arrayBuffer(): Promise<ArrayBuffer> }',
  Event: '{ readonly type: string }',
};
/** Classes that nothing has in such a program. */
const OF_PAGES = [
  ...[
    'HTMLCanvasElement',
    'HTMLImageElement',
    'ImageBitmap',
    'ImageData',
    'OffscreenCanvas',
    'CanvasRenderingContext2D',
  ],
  ...['CSSStyleSheet', 'ShadowRoot', 'PointerEvent', 'KeyboardEvent', 'Element', 'DOMRect'],
];

const known = (name, otherwise) => `typeof globalThis extends { ${name}: { prototype: infer T } } ? T : ${otherwise}`;

/** The declarations of all names, by name. */
const PLATFORM = {
  ...Object.fromEntries(
    Object.entries(CLASSES).map(([name, shape]) => [name, `export type ${name} = ${known(name, shape)};`]),
  ),
  ...Object.fromEntries(OF_PAGES.map((name) => [name, `export type ${name} = ${known(name, 'never')};`])),
  ReadableStream: `export type ReadableStream<_Chunk = any> = ${known('ReadableStream', 'never')};`,
  CustomEvent: `export type CustomEvent<Detail = any> = Event & { readonly detail: Detail };`,
  BufferSource: 'export type BufferSource = ArrayBufferView | ArrayBuffer;',
  CustomElementConstructor: 'export type CustomElementConstructor = new (...params: any[]) => HTMLElement;',
  HTMLElement:
    `export type HTMLElement = ${known('HTMLElement', 'object')};\n` +
    'export declare const HTMLElement: typeof globalThis extends { HTMLElement: infer T extends new () => any } ? T : new () => object;',
  WebAssembly:
    'export declare namespace WebAssembly {\n' +
    ['Module', 'Memory']
      .map(
        (name) =>
          `  type ${name} = typeof globalThis extends { WebAssembly: { ${name}: { prototype: infer T } } } ? T : object;\n`,
      )
      .join('') +
    '}',
};

/** The names of the platform that a declaration file uses and does not declare itself. */
function namesIn(path, text) {
  const found = new Set();
  const visit = (node) => {
    const isName = ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node);
    let first = isName ? (node.typeName ?? node.expression) : undefined;
    while (first && ts.isQualifiedName(first)) first = first.left;
    if (first && ts.isIdentifier(first) && Object.hasOwn(PLATFORM, first.text)) found.add(first.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true));
  return [...found].sort();
}

/** Writes types/platform.d.ts, and imports from it where its names are used. */
function declarePlatform() {
  for (const path of filesIn('types')) {
    const url = new URL(path, root);
    const text = readFileSync(url, 'utf8');
    const names = namesIn(path, text);
    const platform = posix.relative(posix.dirname(path), 'types/platform.js');
    const from = platform.startsWith('.') ? platform : `./${platform}`;
    if (names.length > 0) writeFileSync(url, `import { ${names.join(', ')} } from '${from}';\n${text}`);
  }
  const opening = '// What the declarations use of the platform, also in programs without the DOM library.';
  writeFileSync(new URL('types/platform.d.ts', root), `${[opening, ...Object.values(PLATFORM)].join('\n')}\n`);
}

declarePlatform();
