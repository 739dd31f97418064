import type { TestedWebhook, WebhookResource } from '@turnkeeper/core/protocol/wire/webhooks';
import { useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { go, pageAt } from '../shell/address.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { useAct } from '../ui/use-act.ts';
import { webhookOf } from './webhook-of.ts';

/** How a receiver took what was sent just now. */
export const Taken = ({ answer }: { readonly answer: TestedWebhook }) => {
  const t = useText();
  const status = answer.response_status === null ? '' : `HTTP ${answer.response_status}`;
  if (answer.delivered) return <Notice>{t('wasTaken', { status })}</Notice>;
  return <Notice tone="danger">{[t('wasNotTaken'), status, answer.error].filter(Boolean).join(' · ')}</Notice>;
};

export const WebhookActions = ({ webhook, onChanged }: { readonly webhook: WebhookResource; readonly onChanged: () => void }) => {
  const t = useText();
  const { webhooks } = useClient();
  const { busy, fault, act } = useAct();
  const [tested, setTested] = useState<TestedWebhook>();
  const [secret, setSecret] = useState<string>();
  const [asksDelete, setAsksDelete] = useState(false);
  const of = webhookOf(webhook);
  const waits = webhook.status === 'paused' || webhook.next_attempt_at !== null;
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setTested(undefined);
    await act(work);
    onChanged();
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        {waits ? (
          <Button size="sm" variant="primary" disabled={busy} onClick={() => void run(() => webhooks.retry(of, webhook.id))}>
            {t('retryNowWebhook')}
          </Button>
        ) : null}
        <Button size="sm" disabled={busy} onClick={() => void run(async () => setTested(await webhooks.test(of, webhook.id)))}>
          {t('testEvent')}
        </Button>
        <Button size="sm" disabled={busy} onClick={() => void run(async () => setSecret((await webhooks.rotateSecret(of, webhook.id)).signing_secret))}>
          {t('rotateSecret')}
        </Button>
        <Button size="sm" variant="danger" disabled={busy} onClick={() => setAsksDelete(true)}>
          {t('delete')}
        </Button>
      </div>
      {tested ? <Taken answer={tested} /> : null}
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
      {secret === undefined ? null : <ShownOnce title={t('signingSecret')} secret={secret} onClose={() => setSecret(undefined)} />}
      <ConfirmDialog
        open={asksDelete}
        title={t('deleteWebhookTitle')}
        text={t('deleteWebhookText')}
        confirm={t('delete')}
        onConfirm={() => void act(() => webhooks.delete(of, webhook.id)).then((done) => done && go(pageAt('deliveries')))}
        onClose={() => setAsksDelete(false)}
      />
    </div>
  );
};
