import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { Sent } from '@turnkeeper/react/outbox';
import type { TurnStop } from '@turnkeeper/react/use-stopping';
import { memo, useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import type { TargetCan } from '../auth/target-can.ts';
import { useText } from '../i18n/use-text.ts';
import type { TurnPause } from '../session/use-pause.ts';
import { Notice } from '../ui/notice.tsx';
import type { Upload } from './attachments.ts';
import { Composer } from './composer.tsx';
import { draftOf } from './draft.ts';
import { JsonHint } from './json-hint.tsx';
import { curlTurn, terminalCommand } from './snippets.ts';
import { useInputExample } from './use-input-example.ts';
import { WaysIn } from './ways-in.tsx';
import { inputIn } from './workflow-input.ts';

type SessionComposerProps = {
  readonly sessionId: string;
  readonly archived: boolean;
  /** Why nothing is written to it, in words; undefined where it is. */
  readonly readOnly: 'readOnlyNote' | 'importedNote' | undefined;
  readonly stop: TurnStop;
  readonly pause: TurnPause;
  readonly can: TargetCan;
  readonly target: SessionResource['target'] | undefined;
  readonly onSend: (sent: Sent) => void;
};

export const SessionComposer = memo(({ sessionId, archived, readOnly, stop, pause, can, target, onSend }: SessionComposerProps) => {
  const t = useText();
  const { files } = useClient();
  const upload = useCallback<Upload>((file, options) => files.upload(sessionId, file, options), [files, sessionId]);
  const example = useInputExample(target);
  const saidNow = () => {
    const text = draftOf(sessionId).get().trim() || (example ?? 'Hello');
    const input = can.json ? inputIn(text) : undefined;
    return input === undefined ? { message: text } : { input };
  };
  if (readOnly !== undefined) {
    return (
      <div className="mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 sm:px-6 sm:pb-4">
        <Notice>{t(readOnly)}</Notice>
      </div>
    );
  }
  return (
    <div className="mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 sm:px-6 sm:pb-4">
      {archived ? <Notice>{t('archivedNote')}</Notice> : <Composer place={sessionId} upload={upload} stop={stop} pause={pause} can={can} onSend={onSend} />}
      {archived ? null : <JsonHint can={can} target={target} example={example} />}
      <div className="mt-2">
        <WaysIn curl={(access) => curlTurn(access, sessionId, saidNow())} terminal={(access) => terminalCommand(access, `chat ${sessionId}`)} />
      </div>
    </div>
  );
});
