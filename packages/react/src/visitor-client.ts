import { type Client, createClient } from '@turnkeeper/client/create-client';

/** A component that is mounted twice, or a view that is left and opened again, does not connect anew. */
const lingerMs = 1_000;
/** A chat begins with what was said lately, and reads the rest when it is asked for. */
const snapshotLimit = 300;

/** The client of a page that a visitor chats in. */
export const visitorClient = (baseUrl: string, token: string): Client => createClient({ baseUrl, token, lingerMs, snapshotLimit });
