/** What begins with a slash in a chat: commands of this program, never a message by mistake. */
export const chatCommands = {
  '/help': 'this list',
  '/stop': 'stop the running turn (Esc)',
  '/answer': 'ask again about what was put off',
  '/quit': 'leave; what runs goes on (also /exit, Ctrl+C)',
} as const;
export type ChatCommand = keyof typeof chatCommands;

export type ChatLine =
  | { readonly kind: 'empty' }
  | { readonly kind: 'command'; readonly command: ChatCommand }
  | { readonly kind: 'unknown'; readonly hint: string }
  /** For the turn that is under way. */
  | { readonly kind: 'steer'; readonly text: string }
  | { readonly kind: 'message'; readonly text: string };

export const helpText = [
  'Enter sends, also while it runs (then it queues).',
  '! before a message steers the turn that runs: ✓ received, ✓✓ heard.',
  ...Object.entries(chatCommands).map(([name, what]) => `${name.padEnd(9)}${what}`),
  'A message that begins with a slash or !: put a space before it.',
]
  .map((line) => `  ${line}`)
  .join('\n');

export const readChatLine = (line: string): ChatLine => {
  const text = line.trim();
  if (text === '') return { kind: 'empty' };
  if (text === '/exit') return { kind: 'command', command: '/quit' };
  if (Object.hasOwn(chatCommands, text)) return { kind: 'command', command: text as ChatCommand };
  if (line.startsWith('!') && line.slice(1).trim() !== '') return { kind: 'steer', text: line.slice(1).trim() };
  // A path is no command: "/etc/hosts: what is it for?"
  const name = /^\/[^\s/]*(?=\s|$)/.exec(line)?.[0];
  if (name === undefined) return { kind: 'message', text };
  const known = name === '/exit' || Object.hasOwn(chatCommands, name);
  const fault = known ? `${name} takes nothing after it` : `There is no command ${name}`;
  return { kind: 'unknown', hint: `${fault}; not sent. /help lists what there is. To send it as a message, put a space before it.` };
};
