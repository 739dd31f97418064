/** `turnkeeper completion <shell>`: commands and options, for the shell to complete. Made of the grammar itself. */
import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

type Words = { readonly path: string; readonly words: readonly string[] };

const visible = (command: Command): readonly Command[] => command.commands.filter((each) => each.name() !== 'help');
const optionsOf = (command: Command): readonly string[] => [...command.options.map(({ long }) => long ?? ''), '--help'].filter((word) => word !== '');

/** What may come behind each beginning: `keys` → its commands, `keys create` → its options. */
const wordsOf = (command: Command, path = ''): readonly Words[] => [
  { path, words: [...visible(command).map((each) => each.name()), ...optionsOf(command)] },
  ...visible(command).flatMap((each) => wordsOf(each, `${path} ${each.name()}`.trim())),
];

const cases = (table: readonly Words[]): string => table.map(({ path, words }) => `    "${path}") words="${words.join(' ')}" ;;`).join('\n');

/** The words typed so far that are commands: options and what they take do not count. */
const bash = (table: readonly Words[]): string => `_turnkeeper() {
  local path="" words="" word
  local current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${table.map(({ path }) => path.replaceAll(' ', '.')).join(' ')} " in
      *" \${path:+$path.}$word "*) path="\${path:+$path.}$word" ;;
    esac
  done
  case "\${path//./ }" in
${cases(table)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _turnkeeper turnkeeper
`;

const zsh = (table: readonly Words[]): string => `autoload -Uz bashcompinit && bashcompinit\n${bash(table)}`;

const fish = (table: readonly Words[]): string =>
  table
    .map(({ path, words }) => {
      const seen = path.split(' ').filter((word) => word !== '');
      const condition = seen.length === 0 ? '__fish_use_subcommand' : seen.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
      return `complete -c turnkeeper -n '${condition}' -a '${words.join(' ')}'`;
    })
    .join('\n')
    .concat('\n');

export const completion = (io: Io, program: Command, shell: Shell): ExitCode => {
  const table = wordsOf(program);
  switch (shell) {
    case 'bash':
      io.stdout.write(bash(table));
      break;
    case 'zsh':
      io.stdout.write(zsh(table));
      break;
    case 'fish':
      io.stdout.write(fish(table));
      break;
  }
  return exitCodes.completed;
};
