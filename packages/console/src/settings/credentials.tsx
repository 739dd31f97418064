import type { CreatedCredential, CredentialResource, TargetGrant } from '@turnkeeper/core/protocol/wire/identity';
import { KeyRound } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { useNow } from '../ui/use-now.ts';
import { CredentialDates } from './credential-dates.tsx';
import { grantTexts } from './grants.ts';
import { curlOfKey } from './key-snippet.ts';
import { NewKey } from './new-key.tsx';

type CredentialRowProps = {
  readonly credential: CredentialResource;
  readonly now: number;
  readonly manages: boolean;
  readonly busy: boolean;
  readonly grantName: (grant: TargetGrant) => string;
  readonly onRotate: () => void;
  readonly onRevoke: () => void;
};

const CredentialRow = ({ credential, now, manages, busy, grantName, onRotate, onRevoke }: CredentialRowProps) => {
  const t = useText();
  const isOver = credential.revokedAt !== null || (credential.expiresAt !== null && credential.expiresAt <= now);
  return (
    <Row
      id={credential.id}
      title={credential.name}
      marks={
        <>
          <code className="text-xs text-ink-faint">{credential.prefix}…</code>
          {credential.revokedAt !== null ? <Badge tone="danger">{t('revoked')}</Badge> : null}
          {credential.rotatedFrom !== null && !isOver ? <Badge tone="good">{t('rotated')}</Badge> : null}
        </>
      }
      note={
        <>
          <span className="block">{`${credential.scopes.join(', ')} · ${credential.targets.map(grantName).join(', ')}`}</span>
          <CredentialDates {...credential} now={now} />
        </>
      }
      actions={
        manages && credential.revokedAt === null ? (
          <>
            <Button size="sm" disabled={busy} onClick={onRotate} aria-label={t('rotateNamed', { name: credential.name })}>
              {t('rotate')}
            </Button>
            <Button size="sm" variant="danger" onClick={onRevoke} aria-label={t('revokeNamed', { name: credential.name })}>
              {t('revoke')}
            </Button>
          </>
        ) : null
      }
    />
  );
};

export const Credentials = ({ applicationId, manages }: { readonly applicationId: string; readonly manages: boolean }) => {
  const t = useText();
  const { agents, credentials } = useClient();
  const { data: known = [] } = useLoaded(useCallback(async () => (await agents.list({ limit: 200 })).items, [agents]));
  const grantName = ({ type, id }: TargetGrant): string =>
    id === '*' ? t(grantTexts[type]) : (known.find((agent) => type === 'agent' && agent.id === id)?.displayName ?? `${type}:${id}`);
  const loaded = useLoaded(useCallback(async () => (await credentials.list(applicationId, { limit: 200 })).items, [credentials, applicationId]));
  const { busy, fault, act } = useAct();
  const now = useNow(30_000);
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedCredential>();
  const [revoking, setRevoking] = useState<CredentialResource>();
  const done = (created?: CreatedCredential): void => {
    setMaking(false);
    setMade(created);
    loaded.reload();
  };
  const rotate = (id: string) => act(async () => done(await credentials.rotate(applicationId, id)));
  const revoke = (id: string) => act(() => credentials.revoke(applicationId, id).then(() => done()));
  return (
    <Panel
      title={t('keysTitle')}
      hint={t('keysPanelHint')}
      action={
        manages ? (
          <Button size="sm" variant="primary" onClick={() => setMaking(true)}>
            <KeyRound aria-hidden className="size-4" /> {t('newKey')}
          </Button>
        ) : null
      }
    >
      <LoadState loaded={loaded} />
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      {loaded.data?.length === 0 ? <NothingYet>{t('noKeys')}</NothingYet> : null}
      {loaded.data?.length ? (
        <Rows label={t('keysTitle')}>
          {loaded.data.map((credential) => (
            <CredentialRow
              key={credential.id}
              credential={credential}
              now={now}
              manages={manages}
              busy={busy}
              grantName={grantName}
              onRotate={() => void rotate(credential.id)}
              onRevoke={() => setRevoking(credential)}
            />
          ))}
        </Rows>
      ) : null}
      {making ? <NewKey applicationId={applicationId} onMade={done} onClose={() => setMaking(false)} /> : null}
      {made ? (
        <ShownOnce
          title={made.credential.name}
          secret={made.apiKey}
          curl={curlOfKey(location.origin, made, known[0]?.agentKey)}
          onClose={() => setMade(undefined)}
        />
      ) : null}
      <ConfirmDialog
        open={revoking !== undefined}
        title={t('revokeTitle', { name: revoking?.name ?? '' })}
        text={t('revokeText')}
        confirm={t('revoke')}
        onConfirm={() => revoking && void revoke(revoking.id)}
        onClose={() => setRevoking(undefined)}
      />
    </Panel>
  );
};
