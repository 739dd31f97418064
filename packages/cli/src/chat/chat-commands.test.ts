import { expect, test } from 'vitest';
import { helpText, readChatLine } from './chat-commands.ts';

test('commands are what stands there and nothing else', () => {
  expect(readChatLine('  ')).toEqual({ kind: 'empty' });
  expect(readChatLine('/quit ')).toEqual({ kind: 'command', command: '/quit' });
  expect(readChatLine('/exit')).toEqual({ kind: 'command', command: '/quit' });
  expect(readChatLine('/quit smoking')).toMatchObject({ kind: 'unknown' });
  expect(readChatLine('/modle gpt')).toMatchObject({ kind: 'unknown', hint: expect.stringContaining('no command /modle') });
  expect(readChatLine('/constructor')).toMatchObject({ kind: 'unknown' });
  expect(readChatLine(' /modle gpt')).toEqual({ kind: 'message', text: '/modle gpt' });
  expect(readChatLine('/etc/hosts: what is it?')).toEqual({ kind: 'message', text: '/etc/hosts: what is it?' });
  expect(readChatLine('! be quick ')).toEqual({ kind: 'steer', text: 'be quick' });
  expect(readChatLine(' !important')).toEqual({ kind: 'message', text: '!important' });
  expect(readChatLine('!')).toEqual({ kind: 'message', text: '!' });
  expect(helpText).toMatch(/\/help[\s\S]*\/stop[\s\S]*\/quit/);
});
