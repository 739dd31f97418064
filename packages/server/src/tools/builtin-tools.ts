/** The server's own tools, by name. */
import type { Clock } from '../ports/clock.ts';
import type { Tool, Tools } from '../ports/tool.ts';
import { createCalculatorTool } from './calculator.ts';
import { createTimeTool } from './time.ts';

/** All built-in tools, and whatever an installation adds. */
export const createTools = (clock: Clock, more: readonly Tool[] = []): Tools => {
  const tools = new Map([createTimeTool(clock), createCalculatorTool(), ...more].map((tool) => [tool.spec.name, tool] as const));
  return { builtin: (name) => tools.get(name), builtinNames: () => [...tools.keys()] };
};
