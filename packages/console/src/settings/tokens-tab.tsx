import type { TokenResource } from '@turnkeeper/core/protocol/wire/identity';
import { useCallback, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { curlGet } from '../composer/snippets.ts';
import { useText } from '../i18n/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { NewButton } from '../ui/new-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet, Row, Rows } from '../ui/rows.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { useNow } from '../ui/use-now.ts';
import { CredentialDates } from './credential-dates.tsx';
import { type Expiry, expiresAt } from './expiry.ts';
import { ExpirySelect } from './expiry-select.tsx';

const NewToken = ({ onMade, onClose }: { readonly onMade: (token: string) => void; readonly onClose: () => void }) => {
  const t = useText();
  const { tokens } = useClient();
  const { busy, fault, act } = useAct();
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('30d');
  const make = (): Promise<boolean> =>
    act(async () => {
      const { token } = await tokens.create({ name: name.trim(), ...expiresAt(expiry, Date.now()) });
      onMade(token);
    });
  return (
    <FormDialog
      title={t('newToken')}
      submit={t('create')}
      busy={busy}
      incomplete={name.trim() === ''}
      fault={fault}
      onSubmit={() => void make()}
      onClose={onClose}
    >
      <Field label={t('nameLabel')} hint={t('tokenNameHint')}>
        {(id) => <TextInput id={id} value={name} maxLength={200} autoFocus onChange={(event) => setName(event.target.value)} />}
      </Field>
      <ExpirySelect value={expiry} onChange={setExpiry} />
    </FormDialog>
  );
};

const TokenRow = ({ token, now, onRevoke }: { readonly token: TokenResource; readonly now: number; readonly onRevoke: () => void }) => {
  const t = useText();
  return (
    <Row
      id={token.id}
      title={token.name}
      marks={token.current ? <Badge tone="good">{t('thisBrowser')}</Badge> : null}
      note={<CredentialDates {...token} now={now} />}
      actions={
        <Button size="sm" variant="danger" onClick={onRevoke} aria-label={t('revokeNamed', { name: token.name })}>
          {t('revoke')}
        </Button>
      }
    />
  );
};

export const TokensTab = () => {
  const t = useText();
  const { tokens } = useClient();
  const loaded = useLoaded(useCallback(async () => (await tokens.list({ limit: 200 })).items, [tokens]));
  const { fault, act } = useAct();
  const now = useNow(30_000);
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<string>();
  const [revoking, setRevoking] = useState<TokenResource>();
  const revoke = async (id: string): Promise<void> => {
    await act(() => tokens.revoke(id));
    loaded.reload();
  };
  return (
    <Panel title={t('tokensTitle')} hint={t('tokensHint')} action={<NewButton onClick={() => setMaking(true)}>{t('newToken')}</NewButton>}>
      <LoadState loaded={loaded} />
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      {loaded.data?.length === 0 ? <NothingYet>{t('noTokens')}</NothingYet> : null}
      {loaded.data?.length ? (
        <Rows label={t('tokensTitle')}>
          {loaded.data.map((token) => (
            <TokenRow key={token.id} token={token} now={now} onRevoke={() => setRevoking(token)} />
          ))}
        </Rows>
      ) : null}
      {making ? (
        <NewToken
          onMade={(token) => {
            setMaking(false);
            setMade(token);
            loaded.reload();
          }}
          onClose={() => setMaking(false)}
        />
      ) : null}
      {made === undefined ? null : (
        <ShownOnce
          title={t('newToken')}
          secret={made}
          curl={curlGet({ origin: location.origin, token: made }, '/agent-sessions?limit=5')}
          onClose={() => setMade(undefined)}
        />
      )}
      <ConfirmDialog
        open={revoking !== undefined}
        title={t('revokeTitle', { name: revoking?.name ?? '' })}
        text={t(revoking?.current ? 'revokeOwnText' : 'revokeText')}
        confirm={t('revoke')}
        onConfirm={() => revoking && void revoke(revoking.id)}
        onClose={() => setRevoking(undefined)}
      />
    </Panel>
  );
};
