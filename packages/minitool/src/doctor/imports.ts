/** Modules that are not there when a mini-tool runs, and the export that it begins with. */
import type { Finding } from './finding.ts';
import { lineAt, type Source } from './source.ts';

type Import = { readonly module: string; readonly at: number; readonly isType: boolean };

/** `import type … from`, and `import { type A, type B } from`. */
const isTypeOnly = (clause: string): boolean => /^\s*type\s+[\w*{]/.test(clause) || /^\s*\{(?:\s*type\s+[\w$]+(?:\s+as\s+[\w$]+)?\s*,?)+\s*\}\s*$/.test(clause);

export const importsOf = ({ code, bare }: Source): readonly Import[] => {
  // A text that looks like an import is hollow in `bare`: its keyword is not there.
  const isCode = ({ index }: RegExpExecArray): boolean => /[a-z]/.test(bare[index] ?? ' ');
  const named = [...code.matchAll(/\b(?:import|export)\b([^;'"()]*?)\bfrom\s*['"]([^'"\n]+)['"]/g)].filter(isCode);
  const plain = [...code.matchAll(/\b(?:import\s*\(?|require\s*\()\s*['"]([^'"\n]+)['"]/g)].filter(isCode);
  return [
    ...named.map(({ index, 1: clause = '', 2: module = '' }) => ({ module, at: index, isType: isTypeOnly(clause) })),
    ...plain.map(({ index, 1: module = '' }) => ({ module, at: index, isType: false })),
  ];
};

export const isTypeScript = (path: string): boolean => /\.[mc]?tsx?$/.test(path);

export const missingModules = (source: Source): readonly Finding[] =>
  importsOf(source).flatMap(({ module, at, isType }): readonly Finding[] => {
    const where = { file: source.path, line: lineAt(source.text, at) };
    if (/^electron(?:\/|$)/.test(module) && !isType)
      return [
        {
          code: 'electron',
          level: 'error',
          ...where,
          what: 'electron is imported',
          why: 'A server has no desktop: the module does not exist, and the mini-tool cannot be loaded.',
        },
      ];
    if (module !== 'finch' || isType) return [];
    return [
      {
        code: 'runtime_import_of_finch',
        // TypeScript may leave an import out that only types are used of; a strict compiler and a bundler keep it.
        level: isTypeScript(source.path) ? 'warning' : 'error',
        ...where,
        what: "finch is imported when the mini-tool runs, not only its types: write `import type … from 'finch'`",
        why: 'There is no module "finch": all that it has comes in as ctx.',
      },
    ];
  });

const exportsActivate =
  /\bexport\s+(?:declare\s+)?(?:async\s+)?function\s*\*?\s*activate\b|\bexport\s+(?:const|let|var)\s+activate\b|\bexport\s*\{[^}]*\bactivate\b(?!\s+as\b)[^}]*\}|\bexport\s*\{[^}]*\bas\s+activate\b[^}]*\}|\bexport\s*\*|\bexports\s*\.\s*activate\s*=/;
const exportsDefault = /\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b[^}]*\}|\bmodule\s*\.\s*exports\s*=/;

/** What is wrong with the exports of the entry. */
export const entryExports = (source: Source): readonly Finding[] => {
  if (exportsActivate.test(source.bare)) return [];
  const byDefault = exportsDefault.exec(source.bare);
  if (byDefault)
    return [
      {
        code: 'default_export_only',
        level: 'error',
        file: source.path,
        line: lineAt(source.text, byDefault.index),
        what: 'The entry has a default export and no export named activate',
        why: 'A mini-tool begins with `export function activate(ctx) { … }`; a default export is not looked at.',
      },
    ];
  return [
    {
      code: 'no_activate',
      level: 'error',
      file: source.path,
      line: 1,
      what: 'The entry exports no function activate',
      why: 'A mini-tool begins with `export function activate(ctx) { … }`.',
    },
  ];
};
