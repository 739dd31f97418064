/** How a workflow's nodes look, by their type and by how their step stands in a run. */
import { Bot, CircleHelp, Clock, GitBranch, type LucideIcon, Merge, Radio, Repeat, ShieldCheck, Users, Workflow } from 'lucide-react';

const icons: Readonly<Record<string, LucideIcon>> = {
  ...{ agent: Bot, team: Users, subrun: Workflow, condition: GitBranch, join: Merge, approval: ShieldCheck, timer: Clock, signal: Radio, map: Repeat },
};
/** A draft may name what it likes. */
const of = <Value>(known: Readonly<Record<string, Value>>, name: string): Value | undefined => (Object.hasOwn(known, name) ? known[name] : undefined);

export const iconOf = (type: string): LucideIcon => of(icons, type) ?? CircleHelp;

type Look = { readonly stroke: string; readonly fill: string };
const ok: Look = { stroke: 'stroke-ok', fill: 'fill-ok' };
const works: Look = { stroke: 'stroke-accent animate-pulse motion-reduce:animate-none', fill: 'fill-accent' };
const waits: Look = { stroke: 'stroke-warn', fill: 'fill-warn' };
const fault: Look = { stroke: 'stroke-danger', fill: 'fill-danger' };
const looks: Readonly<Record<string, Look>> = {
  ...{ succeeded: ok, running: works, waiting: waits, sleeping: waits, delayed: waits, failed: fault, timed_out: fault, rejected: fault },
};
/** Of a step that is under way or came to something; undefined of what has not begun, or was not wanted. */
export const lookOf = (status: string | undefined): Look | undefined => (status === undefined ? undefined : of(looks, status));
export const isPale = (status: string | undefined): boolean => status === 'skipped' || status === 'cancelled';
