/** The audit log: administrative acts and approvals, newest first. */
import type { AuditEntry, AuditPage } from '@turnkeeper/core/protocol/wire/identity';
import type { Transport } from '../transport/transport.ts';
import { api } from './paths.ts';

export type AuditQuery = {
  readonly limit?: number;
  /** `next_cursor` of the page before. */
  readonly after?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly subject?: string;
  readonly session?: string;
};

export type AuditCalls = {
  readonly page: (query?: AuditQuery) => Promise<AuditPage>;
  /** Every entry that fits, page by page, for as long as it is read. */
  readonly entries: (query?: Omit<AuditQuery, 'after'>) => AsyncGenerator<AuditEntry, void, undefined>;
};

export const createAuditCalls = ({ request }: Transport): AuditCalls => {
  const page = (query: AuditQuery = {}): Promise<AuditPage> => request('GET', `${api}/audit`, { query });
  return {
    page,
    async *entries(query = {}) {
      let after: string | undefined;
      do {
        const answer = await page({ ...query, ...(after === undefined ? {} : { after }) });
        yield* answer.data;
        after = answer.has_more ? (answer.next_cursor ?? undefined) : undefined;
      } while (after !== undefined);
    },
  };
};
