import type { ConnectionState } from '@turnkeeper/client/stream/connection-state';
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';
import type { UsageBody } from '@turnkeeper/core/view/usage';
import { type ComponentProps, memo, type ReactNode } from 'react';
import { useText } from '../i18n/use-text.ts';
import { PanelButton } from '../inspector/panel-button.tsx';
import { go } from '../shell/address.ts';
import type { Query } from '../shell/query.ts';
import { SessionHeader } from './session-header.tsx';
import { SessionMenu } from './session-menu.tsx';

type SessionHeadProps = Pick<ComponentProps<typeof SessionMenu>, 'control' | 'onError'> & {
  readonly sessionId: string;
  readonly query: Query;
  readonly menuButton: ReactNode;
  readonly session: SessionResource | undefined;
  readonly usage: UsageBody | undefined;
  readonly connection: ConnectionState;
  readonly onChange: (next: (before: Partial<SessionResource>) => Partial<SessionResource>) => void;
  readonly onChanged: () => void;
};

/** The top of the page, and what the menu changes, which is shown at once. */
export const SessionHead = memo(({ sessionId, query, menuButton, session, usage, connection, control, onError, onChange, onChanged }: SessionHeadProps) => {
  const t = useText();
  const childId = query['child'];
  const menu =
    session && childId === undefined ? (
      <SessionMenu
        session={session}
        label={t('sessionMenu')}
        control={control}
        onDeleted={() => {
          go({ kind: 'new' }, { replace: true });
          onChanged();
        }}
        onChanged={(next) => {
          onChange((before) => ({ ...before, ...next }));
          onChanged();
        }}
        onError={onError}
      />
    ) : null;
  return (
    <SessionHeader
      menuButton={menuButton}
      session={session}
      parentId={childId === undefined ? undefined : sessionId}
      usage={usage}
      connection={connection}
      menu={
        <>
          <PanelButton sessionId={sessionId} query={query} />
          {menu}
        </>
      }
    />
  );
});
