/**
 * What was sent for a delivery, as a column of its row: a line of JSON for each time, so that adding one reads nothing.
 *
 * WS1 It is bounded: a receiver that fails for ever fills nothing.
 */
import type { Sending } from '../../ports/webhooks.ts';

/** The same in both stores. A release that does not know it leaves it empty. */
export const sendingsColumn = "ALTER TABLE webhook_deliveries ADD COLUMN sendings TEXT NOT NULL DEFAULT ''";

/** Of characters. A line has some 1,000. */
export const mostSendingsText = 60_000;

export const lineOf = (sending: Sending): string => `${JSON.stringify(sending)}\n`;

export const sendingsIn = (text: string): readonly Sending[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Sending);
