/** A table for people and a JSON line for programs. */

type Cell = string | number;

/** Prints rows as a Markdown table, then one JSON line with the same numbers. */
export const report = (question: string, rows: readonly Readonly<Record<string, Cell>>[]): void => {
  const columns = Object.keys(rows[0] ?? {});
  const line = (cells: readonly Cell[]): string => `| ${cells.join(' | ')} |`;
  console.log(`\n${question}\n`);
  console.log(line(columns));
  console.log(line(columns.map(() => '---')));
  for (const row of rows) console.log(line(columns.map((column) => row[column] ?? '')));
  console.log(`\n${JSON.stringify({ question, at: new Date().toISOString(), node: process.version, rows })}`);
};
