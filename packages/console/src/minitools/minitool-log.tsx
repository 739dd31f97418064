import { useEffect, useRef } from 'react';
import { useText } from '../i18n/use-text.ts';
import { go, pageAt } from '../shell/address.ts';
import type { Query } from '../shell/query.ts';
import { Badge } from '../ui/badge.tsx';
import { controlClass } from '../ui/field.tsx';
import { Panel } from '../ui/panel.tsx';
import { NothingYet } from '../ui/rows.tsx';
import { Select } from '../ui/select.tsx';
import { fitting, type LogLevel, type LogLine, logLevels } from './log-lines.ts';
import { useLog } from './use-log.ts';

const tones: Record<LogLevel, string> = { debug: 'text-ink-faint', info: 'text-ink-soft', warn: 'text-warn', error: 'text-danger' };
const levelTexts = { debug: 'logAll', info: 'logInfo', warn: 'logWarn', error: 'logError' } as const;

const Line = ({ entry }: { readonly entry: LogLine }) => (
  <li className="flex gap-3 px-4 py-0.5 max-sm:flex-col max-sm:gap-0 max-sm:py-1">
    <time dateTime={entry.time} className="shrink-0 text-ink-faint">
      {entry.time.slice(11, 23)}
    </time>
    <span className={`w-11 shrink-0 ${tones[entry.level]} max-sm:hidden`}>{entry.level}</span>
    <span className={`min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere] ${entry.level === 'error' ? 'text-danger' : 'text-ink'}`}>{entry.message}</span>
  </li>
);

/** Stays at its end for as long as somebody is there. */
const Lines = ({ lines }: { readonly lines: readonly LogLine[] }) => {
  const t = useText();
  const ref = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it moves when lines come
  useEffect(() => {
    if (ref.current && atEnd.current) ref.current.scrollTop = ref.current.scrollHeight;
  }, [lines]);
  return (
    <section
      ref={ref}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard, too
      tabIndex={0}
      aria-label={t('minitoolLog')}
      onScroll={({ currentTarget: box }) => {
        atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 24;
      }}
      className="max-h-[65dvh] overflow-y-auto rounded-2xl border border-line bg-surface py-2 font-mono text-[12.5px] leading-relaxed"
    >
      <ul>
        {lines.map((entry) => (
          <Line key={entry.n} entry={entry} />
        ))}
      </ul>
    </section>
  );
};

export const MinitoolLog = ({ id, query }: { readonly id: string; readonly query: Query }) => {
  const t = useText();
  const { lines, live } = useLog(id);
  const least = logLevels.find((level) => level === query['level']) ?? 'debug';
  const wanted = query['q'] ?? '';
  const show = (change: Query): void => go(pageAt('minitools', { ...query, ...change }), { replace: true });
  const shown = fitting(lines, least, wanted);
  return (
    <Panel title={t('minitoolLog')} hint={t('logHint')} action={<Badge tone={live ? 'good' : 'quiet'}>{t(live ? 'live' : 'connecting')}</Badge>}>
      <search className="flex flex-wrap gap-2">
        <input
          type="search"
          aria-label={t('searchLog')}
          placeholder={t('searchLog')}
          value={wanted}
          onChange={(event) => show({ q: event.target.value })}
          className={`${controlClass} h-11 min-w-0 flex-1 py-0`}
        />
        <Select aria-label={t('logLevel')} value={least} className="w-44" onChange={(event) => show({ level: event.target.value })}>
          {logLevels.map((level) => (
            <option key={level} value={level}>
              {t(levelTexts[level])}
            </option>
          ))}
        </Select>
      </search>
      {shown.length === 0 ? <NothingYet>{t(lines.length === 0 ? 'logEmpty' : 'noAudit')}</NothingYet> : <Lines lines={shown} />}
    </Panel>
  );
};
