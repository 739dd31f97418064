import { useSyncExternalStore } from 'react';
import type { StoredValue } from './stored-value.ts';

export const useStored = <Value>(stored: StoredValue<Value>): Value => useSyncExternalStore(stored.subscribe, stored.get);
