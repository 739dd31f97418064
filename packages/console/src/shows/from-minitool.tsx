import type { MinitoolShow } from '@turnkeeper/core/protocol/wire/minitool-shows';
import { Puzzle } from 'lucide-react';
import { useText } from '../i18n/use-text.ts';

/** Whose words these are: above everything that a mini-tool says, so that it cannot pass for the console, nor one for another of
 * the same name. */
export const FromMinitool = ({ minitool: { id, name } }: { readonly minitool: MinitoolShow['minitool'] }) => {
  const t = useText();
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-xs text-ink-faint">
      <Puzzle aria-hidden className="size-3.5 shrink-0" />
      <bdi className="min-w-0 truncate">{t('fromMinitool', { id, name })}</bdi>
    </p>
  );
};
