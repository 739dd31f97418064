import { expect, test } from 'vitest';
import { toolFactsOf } from './tool-facts.ts';

const tool_call = { id: 'c', name: 'bot_remove', input: {} };

test('TF1 a title stands beside the name, and takes the place of none', () => {
  expect(toolFactsOf({ tool_call, tool_note: { title: 'list_files', minitool: 'bot', minitool_name: 'Mail bot', destructive: true } })).toEqual({
    name: 'bot_remove',
    title: 'list_files',
    minitool: { id: 'bot', name: 'Mail bot' },
    destructive: true,
    dangerous: false,
  });
  expect(toolFactsOf({ tool_call, tool_note: { title: 'bot_remove', minitool: 'bot', dangerous: true } })).toMatchObject({
    title: undefined,
    minitool: { id: 'bot', name: 'bot' },
    dangerous: true,
  });
});

test('where there is nothing to know, nothing is said', () => {
  expect(toolFactsOf({ tool_call })).toBeUndefined();
  expect(toolFactsOf({ tool_call, tool_note: { title: ' bot_remove ' } })).toBeUndefined();
});
