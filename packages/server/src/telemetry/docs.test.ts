/** docs/telemetry.md says what the code says. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type MetricRow, metricTable } from './metric-table.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const docs = read('../../../../docs/telemetry.md');

test('every metric is listed as it is: kind, labels, meaning', () => {
  const row = ({ name, kind, labels, help }: MetricRow): string => `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`;
  expect(docs.match(/^\| `turnkeeper_.*$/gm)).toEqual(Object.values(metricTable).map(row));
});

test('every attribute of a span is named, and none that is not there', () => {
  const attribute = /(?:gen_ai|turnkeeper)\.[a-z_.]*[a-z]/g;
  const named = (text: string): readonly string[] =>
    [...new Set(text.match(attribute))].filter((name) => name.includes('.') && !/\.(?:config|json)/.test(name)).toSorted();
  expect(named(docs)).toEqual(named(read('./traces.ts')));
  for (const span of ['invoke_agent ', 'chat ', 'execute_tool ', 'run', 'step']) expect(docs, span).toMatch(new RegExp(`^\\| \`${span}`, 'm'));
});
