import type { MinitoolContainer, MinitoolDetails } from '@turnkeeper/core/protocol/wire/minitools';
import { MessageSquarePlus } from 'lucide-react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import { usualFilters } from '../sessions/filters.ts';
import { go } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Row, Rows } from '../ui/rows.tsx';
import { useAct } from '../ui/use-act.ts';
import { ContainerIcon } from './container-icon.tsx';
import { UnreadBadge } from './unread-badge.tsx';

type ContainersProps = { readonly minitool: MinitoolDetails; readonly onChanged: () => void };

const ContainerRow = ({ minitool, container }: { readonly minitool: MinitoolDetails; readonly container: MinitoolContainer }) => {
  const t = useText();
  const { minitools } = useClient();
  const { busy, fault, act } = useAct();
  const open = (message?: string): Promise<boolean> =>
    act(async () => {
      const { id } = await minitools.openSession(minitool.id, container.id, message === undefined ? {} : { initialMessage: { message } });
      go({ kind: 'session', id });
    });
  const filters = { ...usualFilters, owner: 'all', place: `container:${minitool.id}/${container.id}` } as const;
  const opens = container.mode === 'assistant' && minitool.status === 'enabled' && minitool.isUser;
  return (
    <Row
      title={
        <PlaceLink to={{ kind: 'sessions', filters }} className="flex items-center gap-2 rounded-md hover:text-accent">
          <ContainerIcon container={container} />
          <span className="min-w-0">{container.title}</span>
        </PlaceLink>
      }
      marks={<UnreadBadge count={container.unread.length} />}
      note={container.description}
      actions={
        opens ? (
          <Button size="sm" disabled={busy} onClick={() => void open()}>
            <MessageSquarePlus aria-hidden className="size-4" /> {t('openSessionThere')}
          </Button>
        ) : null
      }
    >
      {opens && container.starterPrompts.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {container.starterPrompts.map(({ title, description, prompt }) => (
            <Button key={prompt} size="sm" variant="quiet" title={description} disabled={busy} onClick={() => void open(prompt)}>
              {title}
            </Button>
          ))}
        </div>
      ) : null}
      {fault === undefined ? null : <Notice tone="danger">{fault}</Notice>}
    </Row>
  );
};

/** Where its sessions are. */
export const Containers = ({ minitool }: ContainersProps) => {
  const t = useText();
  const sessions = { kind: 'sessions', filters: { ...usualFilters, owner: `minitool:${minitool.id}` } } as const;
  return (
    <Panel
      title={t('sessions')}
      action={
        <PlaceLink to={sessions} className="rounded-md text-sm text-accent underline-offset-3 hover:underline">
          {t('itsSessions')}
        </PlaceLink>
      }
    >
      {minitool.containers.length === 0 ? null : (
        <Rows label={t('sessions')}>
          {minitool.containers.map((container) => (
            <ContainerRow key={container.id} minitool={minitool} container={container} />
          ))}
        </Rows>
      )}
    </Panel>
  );
};
