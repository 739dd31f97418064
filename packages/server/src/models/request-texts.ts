import type { PromptMessage } from '@turnkeeper/core/session/context';
import type { ModelRequest } from '../ports/model.ts';

const textsOf = (message: PromptMessage): readonly string[] => {
  switch (message.role) {
    case 'user':
      return message.content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block)));
    case 'assistant':
      return message.content.map((part) => (part.type === 'tool_call' ? JSON.stringify(part.input) : part.text));
    case 'tool':
      return message.results.flatMap((result) => result.output.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block))));
  }
};

/** Every text of a request that a provider might echo, for `safeMessage`. Built only when a call failed. */
export const requestTexts = ({ system, messages, tools }: ModelRequest): readonly string[] => [
  system,
  ...tools.map((tool) => tool.description),
  ...messages.flatMap(textsOf),
];
