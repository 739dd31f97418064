/** What a server says without a credential: is it there, does it take work, what time is it there, is the console built. */

import { startCommand } from '../program-name.ts';
import { type Finding, fail, messageOf, ok, warn } from './finding.ts';

const probeMs = 5_000;
/** `Date` counts in whole seconds, and the answer takes its time. */
const skewWarnMs = 5_000;
const skewFailMs = 300_000;

export type Reached = { readonly finding: Finding; readonly response?: Response; readonly askedAt: number };

const probe = (url: string, path: string, accept = 'application/json'): Promise<Response> =>
  fetch(`${url}${path}`, { headers: { accept }, signal: AbortSignal.timeout(probeMs) });

export const reachServer = async (url: string): Promise<Reached> => {
  const check = 'server';
  const askedAt = Date.now();
  try {
    const response = await probe(url, '/healthz');
    const advice = 'Another program, or a proxy without a server behind it, may answer there. Look at TURNKEEPER_URL.';
    return { finding: response.ok ? ok(check, url) : fail(check, `${url} answers ${response.status}`, advice), response, askedAt };
  } catch (error) {
    return {
      finding: fail(check, `${url}: ${messageOf(error)}`, `Start it with: ${startCommand}, or look at TURNKEEPER_URL.`),
      askedAt,
    };
  }
};

/** Tokens, links and actions run out by the server's clock. */
export const checkClock = (date: string | null, now: number): Finding => {
  const check = 'clock';
  const there = Date.parse(date ?? '');
  if (!Number.isFinite(there)) return warn(check, 'the server does not say what time it is', 'A proxy may take the Date header away; no harm by itself.');
  const skew = now - there;
  const text = `${Math.round(Math.abs(skew) / 1_000)} s ${skew < 0 ? 'behind' : 'ahead of'} the server`;
  const advice = 'Set both clocks by a time server: expiry of tokens, links and actions is judged by the server’s.';
  if (Math.abs(skew) > skewFailMs) return fail(check, text, advice);
  return Math.abs(skew) > skewWarnMs ? warn(check, text, advice) : ok(check, text);
};

export const checkReady = async (url: string): Promise<Finding> => {
  const check = 'store';
  try {
    const response = await probe(url, '/readyz');
    if (response.ok) return ok(check, 'takes work');
    const { status, detail } = (await response.json().catch(() => ({}))) as { readonly status?: string; readonly detail?: string };
    return fail(
      check,
      [status ?? `answers ${response.status}`, detail].filter(Boolean).join(': '),
      'Look at the server’s log: a full disk or a lost database are the usual causes.',
    );
  } catch (error) {
    return fail(check, messageOf(error), 'Look at the server’s log.');
  }
};

export const checkConsole = async (url: string): Promise<Finding> => {
  const check = 'console';
  try {
    const response = await probe(url, '/', 'text/html');
    const html = response.ok && (response.headers.get('content-type') ?? '').includes('text/html');
    if (html && (await response.text()).includes('<script')) return ok(check, `${url}/`);
    return warn(check, `no page at ${url}/ (${response.status})`, 'Build it: npm run build:console, then start the server again.');
  } catch (error) {
    return warn(check, messageOf(error), 'Open the address in a browser.');
  }
};
