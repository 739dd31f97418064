/** The steps of teams' and workflows' turns, as far as a snapshot has any. */

export type StepShown = {
  readonly id: string;
  readonly turnId: string | undefined;
  readonly title: string;
  readonly type: string;
  readonly status: string;
  readonly attempt: number;
  readonly childId: string | undefined;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** What passed between its attempts. */
  readonly delayedMs: number;
  readonly error: string | undefined;
};

type Loose = { readonly [member: string]: unknown };

const textIn = (data: Loose, name: string): string | undefined => (typeof data[name] === 'string' && data[name] !== '' ? (data[name] as string) : undefined);
const numberIn = (data: Loose, name: string): number | undefined => (typeof data[name] === 'number' ? (data[name] as number) : undefined);

const errorIn = ({ error, error_message: message }: Loose): string | undefined => {
  if (typeof error === 'string') return error;
  const said = (error as Loose | undefined)?.['message'] ?? (error as Loose | undefined)?.['code'] ?? message;
  return typeof said === 'string' ? said : undefined;
};

const stepOf = (data: Loose): StepShown | undefined => {
  const id = textIn(data, 'step_id') ?? textIn(data, 'id');
  if (id === undefined) return undefined;
  return {
    id,
    turnId: textIn(data, 'turn_id'),
    title: textIn(data, 'name') ?? textIn(data, 'key') ?? id,
    type: textIn(data, 'type') ?? '',
    status: textIn(data, 'status') ?? '',
    attempt: numberIn(data, 'attempt') ?? 1,
    childId: textIn(data, 'child_session_id'),
    startedAt: numberIn(data, 'started_at'),
    endedAt: numberIn(data, 'ended_at'),
    delayedMs: numberIn(data, 'delayed_ms') ?? 0,
    error: errorIn(data),
  };
};

/** A list of envelopes, or a map by id: both are read, and what is no step is left out. */
export const stepsIn = (view: object): readonly StepShown[] => {
  const { steps } = view as { readonly steps?: unknown };
  const list = Array.isArray(steps) ? steps : typeof steps === 'object' && steps !== null ? Object.values(steps) : [];
  return list.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const data = (entry as Loose)['data'] ?? entry;
    const step = stepOf(data as Loose);
    return step ? [step] : [];
  });
};
