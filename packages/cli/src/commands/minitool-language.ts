/** `turnkeeper minitool language`: the language in which mini-tools speak to people and models. */
import type { CommandContext } from '../command-context.ts';
import { type ExitCode, exitCodes, UsageError } from '../exit-codes.ts';

const isKnown = (text: string): text is 'en-US' | 'zh-CN' => text === 'en-US' || text === 'zh-CN';

/** Without a language it says which one is in force. */
export const minitoolLanguage = async (
  { client, json, print, printJson }: CommandContext,
  language: string | undefined,
  { unset = false }: { readonly unset?: boolean },
): Promise<ExitCode> => {
  if (unset && language !== undefined) throw new UsageError('Name a language, or take it back with --unset: not both.');
  if (language !== undefined && !isKnown(language)) throw new UsageError(`There is en-US and zh-CN, and not ${JSON.stringify(language)}.`);
  const { minitools } = client;
  const answer = unset || language !== undefined ? await minitools.putDefaults({ locale: language ?? null }) : await minitools.defaults();
  if (json) printJson(answer);
  else print(answer.locale === null ? `${answer.localeInForce} (none is set: as the server was started)` : answer.locale);
  return exitCodes.completed;
};
