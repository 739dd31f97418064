/** The keys of the full screen. */
import { chatCommands } from '../chat/chat-commands.ts';
import { emptyLine, type Line, lineOf, span } from './line.ts';

const chatKeys: readonly (readonly [string, string])[] = [
  ['Enter', 'sends; while a turn runs it queues'],
  ['! text', 'steers the turn that runs: ✓ received, ✓✓ heard'],
  ['Alt+Enter, Ctrl+J', 'a new line (also \\ at the end of one)'],
  ['y n a e l', 'answer the card: yes, no, always, edit, later'],
  ['Tab', 'from the message to the card, and back'],
  ['Esc', 'stops the turn that runs'],
  ['Up, Down', 'what you sent before'],
];
const commonKeys: readonly (readonly [string, string])[] = [
  ['PgUp PgDn, wheel', 'scroll; Ctrl+Home to the beginning, End to the end'],
  ['F2', 'the mouse selects text; again: it scrolls'],
  ['Ctrl+L, Ctrl+Z', 'draw anew; put into the background'],
  ['Ctrl+C', 'leave: what runs goes on'],
];

export const helpLines = (mode: 'chat' | 'tail'): readonly Line[] => [
  lineOf('Keys', 'bold'),
  ...[...(mode === 'chat' ? chatKeys : []), ...commonKeys].map(([key, what]): Line => [span(`  ${key.padEnd(20)}`), span(what, 'dim')]),
  ...(mode === 'chat'
    ? [emptyLine, lineOf('Commands', 'bold'), ...Object.entries(chatCommands).map(([name, what]): Line => [span(`  ${name.padEnd(20)}`), span(what, 'dim')])]
    : []),
  emptyLine,
  lineOf('Any key goes back.', 'dim'),
];
