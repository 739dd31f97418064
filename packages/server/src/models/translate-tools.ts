import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import type { ToolSpec } from '../ports/model.ts';

/** Tools as the AI SDK wants them. Providers refuse a schema that does not say it is an object, though `{}` is legal. */
export const translateTools = (tools: readonly ToolSpec[]): LanguageModelV4FunctionTool[] =>
  tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    inputSchema: { type: 'object', properties: {}, ...inputSchema } as LanguageModelV4FunctionTool['inputSchema'],
  }));
