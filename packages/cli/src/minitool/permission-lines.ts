/** The permissions of a mini-tool, as somebody reads them before agreeing. */
import type { MinitoolDetails } from '@turnkeeper/core/protocol/wire/minitools';
import { oneLine } from '../output/printable.ts';

export const permissionLines = ({ id, name, version, description, permissionsInWords }: MinitoolDetails): readonly string[] => {
  const told = permissionsInWords.map(({ words, enforced }) => `  - ${oneLine(words, 400)}${enforced ? '' : ' (declared, not enforced)'}`);
  const about = description === '' ? [] : [oneLine(description, 400)];
  return [`${oneLine(name)} ${oneLine(version)} (${id})`, ...about, 'What it may do:', ...told];
};
