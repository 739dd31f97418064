/** What sessions can be narrowed to: what they were made for, and where they stand. */
import type { Client } from '@turnkeeper/client/create-client';
import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { useText } from '../i18n/use-text.ts';
import type { ChoiceGroup } from '../ui/grouped-options.tsx';
import { useLoaded } from '../ui/use-loaded.ts';

type Found = { readonly targets: readonly ChoiceGroup[]; readonly places: readonly ChoiceGroup[] };

const page = { limit: 200 };
/** So many mini-tools are asked for their containers. */
const mostMinitools = 50;

/** What cannot be read is not offered. */
const itemsOf = <Item>(list: Promise<{ readonly items: readonly Item[] }>): Promise<readonly Item[]> =>
  list.then(
    ({ items }) => items,
    () => [],
  );

const containersOf = async ({ minitools }: Client): Promise<ChoiceGroup['choices']> => {
  const all = (await itemsOf(minitools.list())).slice(0, mostMinitools);
  const containers = await Promise.all(all.map(({ id }) => itemsOf(minitools.containers(id))));
  return all.flatMap(({ id, name }, at) =>
    (containers[at] ?? []).map((container) => ({ value: `container:${id}/${container.id}`, label: `${name} · ${container.title}` })),
  );
};

/** Nothing until it has been read. */
export const useFilterChoices = (): Found => {
  const t = useText();
  const client = useClient();
  const read = useCallback(async (): Promise<Found> => {
    const [agents, teams, workflows, spaces, containers] = await Promise.all([
      itemsOf(client.agents.list(page)),
      itemsOf(client.teams.list(page)),
      itemsOf(client.workflows.list(page)),
      itemsOf(client.spaces.list(page)),
      containersOf(client),
    ]);
    const named = (items: readonly { readonly id: string; readonly name: string }[], of = '') =>
      items.map(({ id, name }) => ({ value: of + id, label: name || id }));
    return {
      targets: [
        { label: t('tabAgents'), choices: agents.map(({ id, displayName }) => ({ value: id, label: displayName })) },
        { label: t('tabTeams'), choices: named(teams) },
        { label: t('tabWorkflows'), choices: named(workflows) },
      ],
      places: [
        { label: t('spacesGroup'), choices: named(spaces, 'space:') },
        { label: t('containersGroup'), choices: containers },
      ],
    };
  }, [client, t]);
  return useLoaded(read).data ?? { targets: [], places: [] };
};
