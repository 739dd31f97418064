import type { OutputBlock } from '@turnkeeper/core/protocol/content';
import { textOf } from '@turnkeeper/core/protocol/text-of';
import type { Item } from '@turnkeeper/core/session/events';
import { childTurnId, type SessionId } from '@turnkeeper/core/session/ids';
import { type ReactNode, useMemo } from 'react';
import { formatDuration, formatTime } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { type Text, useText } from '../i18n/use-text.ts';
import { pageAt } from '../shell/address.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { CodeBox, outputText } from '../timeline/tool-output.tsx';
import { Facts } from '../ui/facts.tsx';
import { costOf } from './row-look.ts';
import { spanOf, type TraceRow, timesOf } from './trace.ts';

type Fact = readonly [name: string, value: ReactNode];

const tokenFact = ({ usage }: TraceRow, locale: string, t: Text): string | undefined => {
  if (!usage) return undefined;
  const count = (value: number): string => value.toLocaleString(locale);
  const { cached_input_tokens: cached, reasoning_tokens: reasoning } = usage;
  return [
    t('turnFactTokensInOut', { input: count(usage.input_tokens), output: count(usage.output_tokens) }),
    ...(cached ? [t('turnFactCached', { count: count(cached) })] : []),
    ...(reasoning ? [t('turnFactReasoning', { count: count(reasoning) })] : []),
  ].join(' · ');
};

const wordOf = (text: string): ReactNode => <code className="font-mono text-[12.5px]">{text}</code>;
const faultOf = (text: string): ReactNode => <span className="text-danger">{text}</span>;

const factsOf = (row: TraceRow, { origin, now, locale, t }: { origin: number; now: number; locale: string; t: Text }): readonly Fact[] => {
  const { from } = spanOf(row, now);
  const { worked, waited } = timesOf(row, now);
  const { call } = row;
  const first = call ? call.startedAt - call.owedAt : 0;
  const all: readonly (readonly [string, ReactNode | undefined])[] = [
    [t('turnFactBegan'), `${formatTime(from, locale)} · ${t('turnFactBeganAfter', { time: formatDuration(from - origin, t) })}`],
    [t('turnFactWorked'), worked > 0 ? formatDuration(worked, t) : undefined],
    [t('turnFactWaited'), waited > 0 ? formatDuration(waited, t) : undefined],
    [t('turnFactFirstWord'), first > 0 && call?.usage ? formatDuration(first, t) : undefined],
    [t('turnFactModel'), call?.model ?? undefined],
    [t('turnFactTokens'), tokenFact(row, locale, t)],
    [t('turnFactCost'), costOf(row, locale, t)],
    [t('turnFactAttempt'), row.attempt > 1 ? row.attempt : undefined],
    [t('turnFactRetryAt'), call?.retryAt == null ? undefined : formatTime(call.retryAt, locale)],
    [t('turnFactOutcome'), row.outcome && wordOf(row.outcome)],
    [t('turnFactError'), row.error && faultOf(row.error)],
    [t('turnFactId'), wordOf(row.id)],
  ];
  return all.flatMap(([name, value]): Fact[] => (value === undefined ? [] : [[name, value]]));
};

type Box = { readonly label: string; readonly text: string };

const pretty = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** What went in and what came out, as far as everybody may see it. */
const boxesOf = ({ events }: TraceRow, t: Text): readonly Box[] =>
  events.flatMap(({ type, data }): Box[] => {
    switch (type) {
      case 'tool.requested':
        return [{ label: t('toolInput'), text: pretty(data['input']) }];
      case 'tool.completed':
        return [{ label: t('toolOutput'), text: outputText((data['result'] as { readonly output: readonly OutputBlock[] }).output) }];
      case 'item.completed': {
        const text = data['model_call_id'] === undefined ? '' : textOf((data['item'] as Item).content);
        return text === '' ? [] : [{ label: t('turnSaid'), text }];
      }
      case 'step.updated':
      case 'step.failed':
        return [
          ...(data['input'] === undefined ? [] : [{ label: t('toolInput'), text: pretty(data['input']) }]),
          ...(data['output'] === undefined ? [] : [{ label: t('toolOutput'), text: pretty(data['output']) }]),
        ];
      default:
        return [];
    }
  });

const link = 'text-accent underline underline-offset-2';

const ChildLinks = ({ sessionId, childId }: { readonly sessionId: string; readonly childId: string }) => {
  const t = useText();
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      <PlaceLink to={{ kind: 'session', id: sessionId, query: { child: childId } }} className={link}>
        {t('turnOpenChild')}
      </PlaceLink>
      <PlaceLink to={pageAt('turn', { session: childId, turn: childTurnId(childId as SessionId) })} className={link}>
        {t('checkpointWaterfall')}
      </PlaceLink>
    </p>
  );
};

type StepFactsProps = { readonly sessionId: string; readonly row: TraceRow; readonly origin: number; readonly now: number };

export const StepFacts = ({ sessionId, row, origin, now }: StepFactsProps) => {
  const t = useText();
  const locale = useLocale();
  const boxes = useMemo(() => boxesOf(row, t), [row, t]);
  return (
    <div className="flex flex-col gap-4">
      <Facts facts={factsOf(row, { origin, now, locale, t })} />
      {row.childId === undefined ? null : <ChildLinks sessionId={sessionId} childId={row.childId} />}
      {boxes.map(({ label, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was said never changes its order
        <CodeBox key={at} label={label} text={text} />
      ))}
    </div>
  );
};
