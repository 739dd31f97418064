import { Paperclip } from 'lucide-react';
import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { saveAs } from '../ui/save-as.ts';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';

export const chip = 'inline-flex max-w-full items-center gap-1.5 rounded-full border border-line px-3 py-1 text-[13px] text-ink-soft';

/** A message names its files by id alone: what they are called is read when they are seen. */
export const FileChip = ({ sessionId, fileId }: { readonly sessionId: string; readonly fileId: string }) => {
  const t = useText();
  const { files } = useClient();
  const file = useLoaded(useCallback(() => files.get(sessionId, fileId), [files, sessionId, fileId]));
  const { act, busy } = useAct();
  const name = file.data?.name ?? t('attachment');
  const download = async (): Promise<void> => saveAs(await (await files.download(sessionId, fileId)).blob(), name);
  return (
    <button
      type="button"
      disabled={busy || !file.data}
      title={t('download', { name })}
      className={`${chip} hover:border-line-strong hover:text-ink disabled:hover:border-line`}
      onClick={() => void act(download)}
    >
      <Paperclip aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">{name}</span>
    </button>
  );
};
