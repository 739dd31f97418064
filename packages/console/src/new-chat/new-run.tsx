import { type ReactNode, useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { canOf } from '../auth/target-can.ts';
import { Composer } from '../composer/composer.tsx';
import { draftOf } from '../composer/draft.ts';
import { JsonHint } from '../composer/json-hint.tsx';
import { curlSession, shellQuote, terminalCommand } from '../composer/snippets.ts';
import { WaysIn } from '../composer/ways-in.tsx';
import { exampleFor, inputIn, withInput } from '../composer/workflow-input.ts';
import { useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { NewPage } from './new-page.tsx';
import { draftPlace, type NewTarget } from './new-target.ts';
import { useFirstMessage } from './use-first-message.ts';

type Named = { readonly name: string; readonly description: string; readonly example?: string | undefined };

/** What a team or a workflow is called, and what the newest revision of a workflow reads of its input. */
const useNamed = ({ type, id }: NewTarget) => {
  const { teams, workflows } = useClient();
  return useLoaded(
    useCallback(async (): Promise<Named> => {
      if (type === 'team') {
        const { name, description } = (await teams.get(id)).team;
        return { name, description };
      }
      const { workflow } = await workflows.get(id);
      const example = workflow.revisions === 0 ? undefined : exampleFor((await workflows.revision(id, workflow.revisions)).revision.spec);
      return { name: workflow.name, description: '', example };
    }, [teams, workflows, type, id]),
  );
};

type NewRunProps = { readonly target: NewTarget; readonly menuButton: ReactNode; readonly onCreated: () => void };

/** A team or a workflow that is about to be given its first piece of work. */
export const NewRun = ({ target, menuButton, onCreated }: NewRunProps) => {
  const t = useText();
  const loaded = useNamed(target);
  const place = draftPlace(target);
  const { busy, fault, send } = useFirstMessage(place, onCreated);
  const can = canOf(target.type);
  const { name = '', description = '', example } = loaded.data ?? {};
  const written = (): string => draftOf(place).get().trim() || (example ?? 'Hello');
  const saidNow = () => {
    const input = inputIn(written());
    return input === undefined ? { message: written() } : { input };
  };
  const asCommand = (): string => {
    const said = saidNow();
    return 'input' in said ? `--input ${shellQuote(JSON.stringify(said.input))}` : `${shellQuote(said.message)}`;
  };
  const foot = (
    <>
      <Composer
        place={place}
        can={can}
        disabled={busy || !loaded.data}
        onSend={(sent) => {
          const { text, input } = withInput(sent);
          send({ target, model: '', message: text, ...(input === undefined ? {} : { input }) });
        }}
      />
      <JsonHint can={can} target={target} example={example} />
      <div className="mt-2">
        <WaysIn
          curl={(access) => curlSession(access, { target }, saidNow())}
          terminal={(access) => terminalCommand(access, `${target.type} run ${target.id} ${asCommand()} --follow`)}
        />
      </div>
    </>
  );
  return (
    <NewPage menuButton={menuButton} title={name === '' ? t('newChatTitle') : t('newRunTitle', { name })} foot={foot}>
      <LoadState loaded={loaded} />
      {description === '' ? null : <p className="-mt-3 text-ink-soft [overflow-wrap:anywhere]">{description}</p>}
      <p className="text-sm text-ink-faint">
        {t('newRunHint')}{' '}
        <PlaceLink to={pageAt('targets', { tab: `${target.type}s`, id: target.id })} className="rounded-md text-accent underline underline-offset-3">
          {t('newRunLook')}
        </PlaceLink>
      </p>
      {fault === undefined ? null : <Notice tone="danger">{t('notSent', { message: fault })}</Notice>}
    </NewPage>
  );
};
