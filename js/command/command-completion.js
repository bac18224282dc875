// `linex completion`: prints the completion script of a shell.
import { EVERYWHERE, onlyWord } from '../command-jobs/command-arguments.js';
import { CommandFailure, EXIT } from '../command-files/command-failure.js';
import { Output } from '../command-jobs/command-output.js';

/** @typedef {import('../command-jobs/command-arguments.js').Command} Command */

const SHELLS = ['bash', 'zsh', 'fish'];

/** @type {Command} */
export const command = {
  name: 'completion',
  summary: 'print the completion script of a shell',
  usage: 'bash|zsh|fish',
  about: ['Prints a script that completes commands, options, choices and files after Tab.'],
  takes: {},
  examples: [
    { words: 'linex completion bash >> ~/.bashrc', about: 'for bash' },
    { words: 'linex completion zsh > ~/.zfunc/_linex', about: 'for zsh, if ~/.zfunc is in fpath' },
    { words: 'linex completion fish > ~/.config/fish/completions/linex.fish', about: 'for fish' },
  ],
  async run(given) {
    const shell = onlyWord(given, `the name of a shell: ${SHELLS.join(', ')}`, 'completion');
    if (!SHELLS.includes(shell))
      throw new CommandFailure(`there is no completion for ${shell}, only for ${SHELLS.join(', ')}`);
    const commands = await Promise.all(given.commands.map(async ({ load }) => (await load()).command));
    const write = { bash: writeBash, zsh: writeZsh, fish: writeFish }[/** @type {'bash' | 'zsh' | 'fish'} */ (shell)];
    await new Output().print(write(commands));
    return EXIT.ok;
  },
};

/** The arguments of a command. @param {Command} one */
const argumentsOf = ({ takes }) => Object.entries({ ...takes, ...EVERYWHERE });

/** @param {readonly Command[]} commands */
function writeBash(commands) {
  const cases = commands.map((one) => {
    const names = argumentsOf(one).map(([name]) => `--${name}`);
    const words = one.name === 'completion' ? [...SHELLS, ...names] : names;
    return `    ${one.name}) words="${words.join(' ')}" ;;`;
  });
  const choices = new Map(
    commands
      .flatMap(argumentsOf)
      .flatMap(([name, argument]) => (argument.choices ? [[name, argument.choices.join(' ')]] : [])),
  );
  return `# Completion of linex for bash.
_linex() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$current"))
    return
  fi
  case "$previous" in
${[...choices].map(([name, list]) => `    --${name}) COMPREPLY=($(compgen -W "${list}" -- "$current")); return ;;`).join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) [ "\${COMP_WORDS[1]}" = completion ] && COMPREPLY=($(compgen -W "$words" -- "$current")) ||
      COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _linex linex`;
}

/** Quotes a text for zsh and fish. @param {string} text */
const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** @param {readonly Command[]} commands */
function writeZsh(commands) {
  const spell = (/** @type {string} */ text) => text.replace(/[[\]:]/g, '\\$&');
  const cases = commands.map((one) => {
    const lines = argumentsOf(one).map(([name, { help, kind, choices }]) => {
      const what = choices ? `:${name}:(${choices.join(' ')})` : kind === 'flag' ? '' : `:${name}:_files`;
      return quote(`--${name}[${spell(help)}]${what}`);
    });
    const words = one.name === 'completion' ? quote(`1:shell:(${SHELLS.join(' ')})`) : quote('*:file:_files');
    return `    ${one.name}) _arguments ${[...lines, words].join(' \\\n      ')} ;;`;
  });
  return `#compdef linex
# Completion of linex for zsh.
_linex() {
  local -a commands
  commands=(${commands.map(({ name, summary }) => quote(`${name}:${spell(summary)}`)).join(' ')})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case "$words[1]" in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_linex" ]; then _linex "$@"; else compdef _linex linex; fi`;
}

/** @param {readonly Command[]} commands */
function writeFish(commands) {
  const lines = commands.flatMap((one) => [
    `complete -c linex -n __fish_use_subcommand -f -a ${one.name} -d ${quote(one.summary)}`,
    ...argumentsOf(one).map(([name, { help, kind, choices, short }]) => {
      const value = choices ? ` -x -a ${quote(choices.join(' '))}` : kind === 'flag' ? '' : ' -r';
      return `complete -c linex -n '__fish_seen_subcommand_from ${one.name}' -l ${name}${short ? ` -s ${short}` : ''}${value} -d ${quote(help)}`;
    }),
  ]);
  return [
    '# Completion of linex for fish.',
    ...lines,
    `complete -c linex -n '__fish_seen_subcommand_from completion' -f -a ${quote(SHELLS.join(' '))}`,
  ].join('\n');
}
