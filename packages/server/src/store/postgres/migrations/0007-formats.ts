/**
 * In which format a session is, and which formats a node reads (core's session/formats.ts). What there is is of the first.
 *
 * A state says its format itself; the trigger repeats it beside what claims look at, whichever release's function wrote the
 * state. As long as states are of the first format it costs a comparison. Neither column rewrites its table.
 */
import type { Migration } from '../migrate.ts';

export const formatColumns: Migration = {
  version: 7,
  name: 'formats',
  sql: `
alter table heads add column v integer not null default 1;
alter table nodes add column reads integer not null default 1;

create function turnkeeper_note_format() returns trigger language plpgsql as $body$
begin
  update heads set v = found.v
    from (select substring(new.body from '^\\{"v":([0-9]{1,9})[,}]')::int as v) found
    where heads.sid = new.sid and heads.v < found.v;
  return null;
end
$body$;

create trigger states_format after insert or update on states for each row
  when (not starts_with(new.body, '{"v":1,')) execute function turnkeeper_note_format();
`,
};
