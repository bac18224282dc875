// `npm run docs:messages`: writes the page that lists every error message of the library and the command.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import ts from 'typescript';
import { filesIn, root } from './setup.js';

export const PAGE = 'web/docs/reference/messages.md';

/** Where errors come from, and what to do about those: folders of js/, in the order of the page. */
const AREAS = [
  ['Options and arguments', ['core'], 'The message names the option, what was expected and what came. [Options](options.md) has every range.'],
  ['Tables, texts, images, forests', ['data'], 'The input does not have the form that the call needs. See [Rows](../guides/rows.md), [Untidy rows](../guides/untidy-rows.md), [Texts](../guides/texts.md) and [Images](../guides/images.md).'],
  ['Neighborhoods', ['neighborhood'], 'Either an option of the neighborhood is wrong, or your own neighborhood made samples that do not fit. See [Realistic neighborhoods](../guides/realistic-neighborhoods.md).'],
  ['Settings and games', ['solve', 'explain'], 'Two options exclude each other, or the answers do not determine an explanation. See [Options](options.md).'],
  ['Measures and recourse', ['measure'], 'See [Measuring](../guides/measuring.md) and [Recourse](../guides/recourse.md).'],
  ['Drawing, charts and elements', ['render', 'charts', 'elements'], 'What is drawn is not what the picture is made for. See [Drawing](../guides/drawing.md) and [Charts](../guides/charts.md).'],
  ['Models and caches', ['adapters'], 'The model does not answer as its adapter expects. See [Your model](../guides/models.md) and [Costly models](../guides/costly-models.md).'],
  ['Pools', ['pool'], 'See [Many rows](../guides/many-rows.md#errors).'],
  ['Fleets', ['fleet'], 'See [Many machines](../guides/fleet.md).'],
  ['The command', ['command', 'command-files', 'command-jobs', 'command-reports'], 'The command prints these as `linex: …` and ends with a code; see [Commands](commands.md).'],
]; // prettier-ignore

const WRITTEN = /^js\/runtimes\/(inline|node|workerd|embedded-wasm)\.js$/;

/**
 * @typedef {object} Message
 * @property {string} text  with `…` for what is put in
 * @property {string} error  the name of its class
 * @property {string} path  of the file that throws it
 */

/**
 * Collects the messages of all errors that js/ makes, by its syntax trees.
 *
 * @returns {{ messages: Message[], unknown: string[] }}  unknown: errors whose message is computed elsewhere, as `path: code`
 */
export function readMessages() {
  const messages = [];
  const unknown = [];
  for (const path of filesIn('js').filter((name) => name.endsWith('.js') && !WRITTEN.test(name))) {
    const source = ts.createSourceFile(path, readFileSync(new URL(path, root), 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node) => {
      const error = ts.isNewExpression(node) && node.expression.getText();
      if (error && /(Error|Exception|Failure)$/.test(error)) {
        const given = node.arguments[error === 'LinexError' ? 1 : 0];
        const texts = given ? textsOf(given) : [];
        for (const text of texts) messages.push({ text, error, path });
        if (texts.length === 0) unknown.push(`${path}: ${node.getText().replace(/\s+/g, ' ')}`);
      }
      if (ts.isThrowStatement(node) && ts.isCallExpression(node.expression))
        for (const text of node.expression.arguments.slice(0, 1).flatMap(textsOf))
          messages.push({ text: `…${text}`, error: errorOf(source, node.expression.expression), path });
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { messages: messages.filter(isFirst), unknown };
}

/** The class of the error that a function or a method of a file makes. */
function errorOf(source, callee) {
  const name = callee.getText().replace(/^this\./, '');
  let found = 'Error';
  const visit = (node) => {
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isVariableDeclaration(node)) && node.name?.getText() === name)
      found = node.getText().match(/new (\w+(?:Error|Failure))\(/)?.[1] ?? found;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
} // prettier-ignore

const isFirst = ({ text, error }, i, all) => all.findIndex((one) => one.text === text && one.error === error) === i;

/** Returns what a message can be, with `…` for parts that only the run knows; nothing if no part is known. */
function textsOf(node) {
  const all = [...new Set(partsOf(node).map((text) => text.replace(/(…\s*)+/g, (run) => run.trimEnd().replace(/…\s+(?=…)/g, '…').replace(/…+/, '…') + (/\s$/.test(run) ? ' ' : '')).trim()))];
  return all.filter((text) => /\p{L}{2}/u.test(text.replaceAll('…', '')));
} // prettier-ignore

/** @param {ts.Expression} node @returns {string[]} */
function partsOf(node) {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return partsOf(node.expression);
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) return [node.templateSpans.reduce((text, span) => `${text}…${span.literal.text}`, node.head.text)];
  if (ts.isConditionalExpression(node)) return [...partsOf(node.whenTrue), ...partsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return partsOf(node.left).flatMap((left) => partsOf(node.right).map((right) => left + right));
  if (ts.isIdentifier(node)) return partsOfName(node);
  if (ts.isCallExpression(node)) return partsOfCall(node);
  return ['…'];
} // prettier-ignore

/** What a constant or a variable of the same file holds. */
function partsOfName(node) {
  const found = [];
  const visit = (one) => {
    if (ts.isVariableDeclaration(one) && one.name.getText() === node.text && one.initializer)
      found.push(one.initializer);
    ts.forEachChild(one, visit);
  };
  visit(node.getSourceFile());
  const parts = found.filter((one) => !one.getText().includes(`\${${node.text}}`)).flatMap(partsOf);
  return parts.length > 0 ? parts : ['…'];
}

/** What `[…].filter(Boolean).join(': ')` holds: the texts in the list. */
function partsOfCall(node) {
  const list = [];
  const visit = (one) => {
    if (ts.isArrayLiteralExpression(one)) list.push(...one.elements.flatMap((element) => partsOf(element)));
    else ts.forEachChild(one, visit);
  };
  visit(node.expression);
  return list.length > 0 ? list : ['…'];
}

const cell = (text) => `\`\` ${text.replaceAll('|', '\\|').replace(/\s+/g, ' ')} \`\``;

/** Returns the page, as Prettier formats it. @returns {Promise<string>} */
export async function messagesPage() {
  const { messages } = readMessages();
  const parts = AREAS.map(([title, folders, advice]) => {
    const own = messages.filter(({ path }) => folders.includes(path.split('/')[1]) || (folders[0] === 'core' && path.split('/').length === 2));
    const rows = own.sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ text, error }) => `| ${cell(text)} | \`${error}\` |`);
    return [`## ${title}`, '', advice, '', '| message | error |', '| --- | --- |', ...rows, ''].join('\n');
  });
  const intro =
    'Every message that linex can throw, found in its source by its syntax. `…` stands for a value. For the messages that are met ' +
    'most often, with their causes, see [Troubleshooting](../troubleshooting.md); for the codes of `LinexError`, see [Errors](errors.md).';
  const opening = ['---', 'keywords: every error message list', '---', '', '<!-- Made by `npm run docs:messages`. Do not edit. -->', '', '# Messages', '', intro, ''];
  return prettier.format([...opening, ...parts].join('\n'), {
    ...(await prettier.resolveConfig(fileURLToPath(new URL(PAGE, root)))),
    parser: 'markdown',
  });
} // prettier-ignore

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL(PAGE, root), await messagesPage());
  console.log(`${PAGE} is written.`);
}
