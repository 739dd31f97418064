import type { Envelope } from '@turnkeeper/core/protocol/envelope';
import { useMemo } from 'react';
import { type Trace, traceOf } from './trace.ts';

export const useTrace = (turnId: string, events: readonly Envelope[]): Trace => useMemo(() => traceOf(turnId, events), [turnId, events]);
