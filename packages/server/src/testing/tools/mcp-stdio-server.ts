/**
 * An MCP server over standard input and output, as tests start it. `--deaf`: it ignores being asked to stop. `--broken`:
 * it says why and ends. `--except=name,…`: tools that it does not offer.
 */
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createMcpTestServer } from './mcp-test-tools.ts';

const option = (name: string): string | undefined => process.argv.find((argument) => argument.startsWith(`--${name}`));

const token = process.env['TOKEN'] ?? '';
if (option('broken')) {
  process.stderr.write(`cannot start with ${token}\n`);
  process.exit(1);
}
if (option('deaf')) {
  process.on('SIGTERM', () => {});
  // Also when its input ends.
  setInterval(() => {}, 1_000);
}
// Noise, as programs make it.
process.stdout.write('this is no message\n');
await createMcpTestServer({ token, except: option('except=')?.split('=')[1]?.split(',') ?? [] }).connect(new StdioServerTransport());
