/**
 * Which sessions run where mini-tools are hosted, beside what claims look at: those that a mini-tool owns, and those whose frozen
 * configuration names tools of mini-tools (app/hosted-sessions.ts). Neither changes in a session's life, so it is said once, whichever
 * release's function writes the head.
 */
import type { Migration } from '../migrate.ts';

const isHosted = (head: string): string => `starts_with(${head}.owner, 'minitool:')
    or exists (select from sessions s join configs c on c.ref = s.config_ref where s.sid = ${head}.sid and strpos(c.body, '"type":"minitool"') > 0)`;

export const hostedSessions: Migration = {
  version: 17,
  name: 'hosted-sessions',
  sql: `
alter table heads add column hosted boolean not null default false;

create function turnkeeper_note_hosted() returns trigger language plpgsql as $body$
begin
  new.hosted := ${isHosted('new')};
  return new;
end
$body$;

create trigger heads_hosted before insert on heads for each row execute function turnkeeper_note_hosted();

update heads h set hosted = true where ${isHosted('h')};
`,
};
