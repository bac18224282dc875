// Writes a page per command of linex from what the command itself knows: its help, its options and its examples.
import { join } from 'node:path';
import { EVERYWHERE } from '../../js/command-jobs/command-arguments.js';
import { COMMANDS } from '../../js/command/command-list.js';
import { writeStaged } from './pages.js';

const cell = (text) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** What stands after an option. @param {import('../../js/command-jobs/command-arguments.js').Argument} argument */
function valueOf({ kind, value, choices }) {
  if (kind === 'flag') return '';
  if (kind === 'choice') return choices.map((one) => `\`${one}\``).join(', ');
  return value ?? (kind === 'samples' ? 'number or `auto`' : 'number');
}

/** @param {import('../../js/command-jobs/command-arguments.js').Command} command */
function pageOf({ name, summary, usage, about, examples, takes }) {
  const rows = Object.entries({ ...takes, ...EVERYWHERE }).map(([option, argument]) => {
    const short = argument.short ? `, \`-${argument.short}\`` : '';
    return `| \`--${option}\`${short} | ${cell(valueOf(argument))} | ${cell(argument.help)} |`;
  });
  const shown = examples.map(
    ({ words, about: what }) => `${what[0].toUpperCase()}${what.slice(1)}:\n\n\`\`\`sh\n${words}\n\`\`\``,
  );
  const parts = [
    `---\nkeywords: linex ${name} command terminal\n---`,
    `# linex ${name}`,
    `${summary[0].toUpperCase()}${summary.slice(1)}. This page has the words of \`linex ${name} --help\`. [The guide](../../guides/command-line.md) shows the commands together; [Commands](../commands.md) has exit codes and the format of the files.`,
    `\`\`\`text\nlinex ${name} ${usage}\n\`\`\``,
    ...about.map((text) => text.replaceAll('<', '&lt;')),
    '## Options',
    ['| option | value | meaning |', '| --- | --- | --- |', ...rows].join('\n'),
    examples.length === 1 ? '## Example' : '## Examples',
    ...shown,
  ]; // prettier-ignore
  return `${parts.join('\n\n')}\n`;
}

/**
 * Writes the pages into a folder of the reference.
 *
 * @param {string} into  a path
 * @returns {Promise<{ text: string, items: { text: string, link: string }[] }>}  the group of the menu
 */
export async function writeCommandPages(into) {
  for (const { name, load } of COMMANDS) writeStaged(join(into, `${name}.md`), pageOf((await load()).command));
  const items = COMMANDS.map(({ name }) => ({ text: `linex ${name}`, link: `/reference/command/${name}` }));
  return { text: 'Commands', items };
}
