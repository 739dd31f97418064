/** Mini-tools whose tools a test registers, takes back and runs as it likes; what they did outlives every engine. */
import type { JsonObject } from '@turnkeeper/core/protocol/json';
import type { FoundTool, MinitoolTool, MinitoolTools } from '../../ports/minitool-tools.ts';
import type { ToolAnswer, ToolRun } from '../../ports/tool.ts';

export type FakeRun = { readonly name: string; readonly input: JsonObject; readonly sessionId: string };
export type FakeTool = Partial<Omit<MinitoolTool, 'name' | 'minitoolId' | 'run'>> & { readonly run?: (input: JsonObject, run: ToolRun) => Promise<ToolAnswer> };

export const said = (text: string): ToolAnswer => ({ output: [{ type: 'text', text }], isError: false });

export class FakeMinitools implements MinitoolTools {
  version = 0;
  /** Every run that began, in order. */
  readonly runs: FakeRun[] = [];
  /** Those that are about to run. */
  readonly starting = new Set<string>();
  /** Another node hosts. */
  elsewhere = false;
  /** What each says to models. */
  readonly prompts = new Map<string, string>();
  readonly #tools = new Map<string, MinitoolTool>();
  readonly #providers = new Map<string, (query: string) => readonly FoundTool[]>();

  /** `id` and `tool`: those that the model knows as `<id>_<tool>`. */
  register(id: string, tool: string, { run, ...more }: FakeTool = {}): void {
    const name = `${id}_${tool}`;
    this.#tools.set(name, {
      minitoolId: id,
      name,
      title: tool,
      description: `Does ${tool}.`,
      inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
      risk: 'low',
      timeoutMs: 120_000,
      defaultEnabled: false,
      exposure: 'startup',
      showsProgress: false,
      ...more,
      run: async (input, ctx) => {
        this.runs.push({ name, input, sessionId: ctx.sessionId });
        return run ? run(input, ctx) : said(`${name} did it`);
      },
    });
    this.version += 1;
  }

  takeBack(name: string): void {
    this.#tools.delete(name);
    this.version += 1;
  }

  provide(id: string, search: (query: string) => readonly FoundTool[]): void {
    this.#providers.set(id, search);
    this.version += 1;
  }

  count(name: string): number {
    return this.runs.filter((run) => run.name === name).length;
  }

  list(): readonly MinitoolTool[] {
    return [...this.#tools.values()];
  }

  areElsewhere(): boolean {
    return this.elsewhere;
  }

  isStarting(minitoolIds: readonly string[]): boolean {
    return minitoolIds.some((id) => this.starting.has(id));
  }

  prompt(minitoolId: string): string | undefined {
    return this.prompts.get(minitoolId);
  }

  searchable(): readonly string[] {
    return [...this.#providers.keys()];
  }

  async search(minitoolIds: readonly string[], { query }: { readonly query: string }): Promise<readonly FoundTool[]> {
    return minitoolIds.flatMap((id) => this.#providers.get(id)?.(query) ?? []);
  }
}
