import { useSyncExternalStore } from 'react';
import type { StoredValue } from './stored-value.ts';

export const useStored = <Value>(stored: Pick<StoredValue<Value>, 'get' | 'subscribe'>): Value => useSyncExternalStore(stored.subscribe, stored.get);
