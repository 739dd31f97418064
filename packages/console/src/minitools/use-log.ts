import type { MinitoolLogEntry } from '@turnkeeper/core/protocol/wire/minitools';
import { useEffect, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { type LogLine, withLines } from './log-lines.ts';

export type Log = { readonly lines: readonly LogLine[]; readonly live: boolean };

const first = 200;
const againMs = 3_000;
/** Lines that come together are drawn together. */
const drawMs = 100;
/** A log that says nothing is followed all the same. */
const settledMs = 700;

/** A mini-tool's log: the newest lines, and those that come for as long as it is looked at. */
export const useLog = (id: string): Log => {
  const { minitools } = useClient();
  const [log, setLog] = useState<Log>({ lines: [], live: false });
  useEffect(() => {
    const controller = new AbortController();
    let waiting: MinitoolLogEntry[] = [];
    let anew = true;
    const draw = setInterval(() => {
      if (waiting.length === 0) return;
      const [come, begins] = [waiting, anew];
      [waiting, anew] = [[], false];
      setLog(({ lines }) => ({ lines: withLines(begins ? [] : lines, come), live: true }));
    }, drawMs);
    const follow = async (): Promise<void> => {
      while (!controller.signal.aborted) {
        anew = true;
        const settled = setTimeout(() => setLog(({ lines }) => ({ lines, live: true })), settledMs);
        try {
          for await (const entry of minitools.followLogs(id, { lines: first, signal: controller.signal })) waiting.push(entry);
        } catch {
          // Asked again below: the log is read from its newest lines then.
        }
        clearTimeout(settled);
        if (controller.signal.aborted) return;
        setLog(({ lines }) => ({ lines, live: false }));
        await new Promise((resolve) => setTimeout(resolve, againMs));
      }
    };
    void follow();
    return () => {
      controller.abort();
      clearInterval(draw);
    };
  }, [minitools, id]);
  return log;
};
