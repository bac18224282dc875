// Finds where the scripts of the pages set an option or read a field of a result, by their types. Needs types/.
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { readScripts } from './examples.js';

const root = new URL('../../', import.meta.url);
const pathOf = (path) => fileURLToPath(new URL(path, root));
/** Where the scripts are for the compiler. They are never written. */
const FOLDER = pathOf('build/docs-site/scripts/');
/** An example longer than that is cut to the call or the expression that matters. */
const MOST_LINES = 8;

const SETTINGS = {
  allowJs: true,
  noEmit: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  paths: { linex: [pathOf('types/index.d.ts')], 'linex/*': [pathOf('types/*.d.ts')] },
  types: [],
  skipLibCheck: true,
};

/**
 * A place in a script.
 *
 * @typedef {object} Usage
 * @property {string} code  the statement
 * @property {string} path  of the page, from the root
 * @property {string} title  of the page
 */

/** The scripts in a program of a page, by the names of their files. */
function filesOf({ language, code, files }, folder) {
  const scripts =
    language === 'html' ? [...code.matchAll(/<script type="module">\n?([\s\S]*?)<\/script>/g)].map(([, text]) => text) : [code];
  const beside = Object.entries(files).filter(([name]) => /\.m?js$/.test(name));
  return [...scripts.map((text, i) => [`${folder}main${i || ''}.js`, text]), ...beside.map(([name, text]) => [folder + name, text])];
} // prettier-ignore

/** A compiler that sees the scripts as if they were files. @param {Map<string, string>} texts */
function compilerOf(texts) {
  const host = ts.createCompilerHost(SETTINGS, true);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  return ts.createProgram([...texts.keys()], SETTINGS, host);
}

/** The name of the type that declares a property. @param {ts.Node} declaration */
function ownerOf(declaration) {
  for (let node = declaration.parent; node; node = node.parent)
    if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node))
      return node.name?.text;
  return undefined;
}

/** The properties that a node of a script sets or reads. @param {ts.Node} node @param {ts.TypeChecker} checker */
function propertiesAt(node, checker) {
  if (ts.isPropertyAccessExpression(node)) return [checker.getSymbolAtLocation(node.name)];
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
    const name = (node.propertyName ?? node.name).getText();
    return [checker.getTypeAtLocation(node.parent).getProperty(name)];
  }
  if (!ts.isObjectLiteralElement(node) || !node.name || !ts.isObjectLiteralExpression(node.parent)) return [];
  const wanted = checker.getContextualType(node.parent);
  const types = wanted?.isUnion() ? wanted.types : [wanted];
  return types.map((type) => type?.getProperty(node.name.getText().replace(/^['"]|['"]$/g, '')));
}

/** The code that shows a node: its statement, or the smaller expression if that is long. @param {ts.Node} node */
function codeAround(node) {
  const source = node.getSourceFile();
  let shown = node;
  for (let one = node; one && one !== source; one = one.parent) {
    const isWhole = ts.isStatement(one) || ts.isCallExpression(one) || ts.isVariableStatement(one);
    if (!isWhole) continue;
    if (one.getText().split('\n').length > MOST_LINES) break;
    shown = one;
    if (ts.isStatement(one) && !ts.isBlock(one)) break;
  }
  const { character } = source.getLineAndCharacterOfPosition(shown.getStart());
  // A comment behind it says what it prints.
  const [behind] = source.text.slice(shown.end).match(/^ \/\/ .*/) ?? [''];
  return shown.getText().replaceAll(`\n${' '.repeat(character)}`, '\n') + behind;
}

/**
 * Finds the shortest example of each property of a type of linex.
 *
 * @returns {Map<string, Usage>}  by `Type.property`
 */
export function findUsages() {
  const scripts = readScripts().map((program, i) => ({ ...program, own: filesOf(program, `${FOLDER}${i}/`) }));
  const texts = new Map(scripts.flatMap(({ own }) => own));
  const program = compilerOf(texts);
  const checker = program.getTypeChecker();
  const usages = new Map();
  for (const { own, path, title } of scripts)
    for (const [file] of own) {
      const visit = (node) => {
        for (const property of propertiesAt(node, checker))
          for (const declaration of property?.declarations ?? []) {
            const from = declaration.getSourceFile().fileName;
            if (!from.startsWith(pathOf('types/'))) continue;
            const key = `${ownerOf(declaration)}.${property.name}`;
            const code = codeAround(node);
            if (!usages.has(key) || code.length < usages.get(key).code.length) usages.set(key, { code, path, title });
          }
        ts.forEachChild(node, visit);
      };
      visit(program.getSourceFile(file));
    }
  return usages;
}
