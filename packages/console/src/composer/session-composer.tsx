import { useSignedIn } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import type { Stop } from '../session/use-stop.ts';
import { Notice } from '../ui/notice.tsx';
import { Composer } from './composer.tsx';
import { draftOf } from './draft.ts';
import { curlTurn, terminalCommand } from './snippets.ts';
import { WaysIn } from './ways-in.tsx';

type SessionComposerProps = { readonly sessionId: string; readonly archived: boolean; readonly stop: Stop; readonly onSend: (text: string) => void };

export const SessionComposer = ({ sessionId, archived, stop, onSend }: SessionComposerProps) => {
  const t = useText();
  const { token } = useSignedIn();
  const access = { origin: location.origin, token };
  return (
    <div className="mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 sm:px-6 sm:pb-4">
      {archived ? <Notice>{t('archivedNote')}</Notice> : <Composer place={sessionId} stop={stop} onSend={onSend} />}
      <div className="mt-2">
        <WaysIn
          curl={() => curlTurn(access, sessionId, draftOf(sessionId).get().trim() || 'Hello')}
          terminal={() => terminalCommand(access, `chat ${sessionId}`)}
        />
      </div>
    </div>
  );
};
