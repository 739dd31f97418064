/**
 * Cursors and event ids.
 *
 * Owns: the text form of a position in a stream. Opaque to clients: URL-safe, and of one stream only.
 *
 * K1 A cursor names (stream, seq); it stays valid when its event is pruned.
 * K2 A cursor of another stream, or text that is no cursor, is told apart from a valid one (a short check sum guards
 *    against cut or mistyped cursors; it is no secret).
 * K3 An event's id is the same in every stream.
 */

/** What a cursor belongs to: a session's stream, or one turn's (by its number in the session). */
export type StreamRef = { readonly kind: 'session'; readonly sid: number } | { readonly kind: 'turn'; readonly sid: number; readonly turn: number };

const checkSum = (text: string): string => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36).slice(-3).padStart(3, '0');
};

const seal = (body: string): string => `${body}${checkSum(body)}`;
const open = (text: string): string | undefined => {
  const body = text.slice(0, -3);
  return body.length > 0 && text.slice(-3) === checkSum(body) ? body : undefined;
};

const streamKey = (stream: StreamRef): string =>
  stream.kind === 'session' ? `s${stream.sid.toString(36)}` : `t${stream.sid.toString(36)}-${stream.turn.toString(36)}`;

/** The cursor of position `seq` (0 = before the first event) in a stream. */
export const cursorOf = (stream: StreamRef, seq: number): string => seal(`${streamKey(stream)}-${seq.toString(36)}-`);

/** The position that a cursor names in this stream, or undefined when it is not one of its cursors. */
export const seqOfCursor = (stream: StreamRef, cursor: string): number | undefined => {
  if (cursor.length > 64) return undefined;
  const body = open(cursor);
  const prefix = `${streamKey(stream)}-`;
  if (!body?.startsWith(prefix) || !body.endsWith('-')) return undefined;
  return parse36(body.slice(prefix.length, -1));
};

const parse36 = (text: string): number | undefined => {
  if (!/^[0-9a-z]{1,11}$/.test(text)) return undefined;
  const value = Number.parseInt(text, 36);
  return Number.isSafeInteger(value) && value.toString(36) === text ? value : undefined;
};

/** The id of the event at `seq` of session `sid`. */
export const eventIdOf = (sid: number, seq: number): string => seal(`evt_${sid.toString(36)}-${seq.toString(36)}-`);

/** The seq of an event id of this session, or undefined. */
export const seqOfEventId = (sid: number, id: string): number | undefined => {
  const body = open(id);
  const prefix = `evt_${sid.toString(36)}-`;
  return body?.startsWith(prefix) && body.endsWith('-') ? parse36(body.slice(prefix.length, -1)) : undefined;
};

/** A page's position in a list of resources: the sort key of the last one shown, and when the page was made. */
export const pageCursorOf = (list: string, after: string, madeAt: number): string => seal(`p${list}~${encode(after)}~${madeAt.toString(36)}~`);

export const readPageCursor = (list: string, cursor: string): { readonly after: string; readonly madeAt: number } | undefined => {
  const parts = open(cursor)?.split('~');
  if (parts?.length !== 4 || parts[0] !== `p${list}` || parts[3] !== '') return undefined;
  const madeAt = parse36(parts[2] ?? '');
  const after = decode(parts[1] ?? '');
  return madeAt === undefined || after === undefined ? undefined : { after, madeAt };
};

/** `~` separates the parts, and encodeURIComponent leaves it as it is. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll('~', '%7E');

/** Anyone can compute the check sum, so what is sealed may still be no encoding: that is no cursor, not a fault. */
const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** Where a merged stream is in each session that it follows: that of the top first. */
export type TreePlace = readonly { readonly sid: number; readonly seq: number }[];

/** 64 children and the top, each by two numbers. */
const longestTreeCursor = 2_048;

/** The cursor of a session's stream that carries its children's events too; of no other stream (K2). */
export const treeCursorOf = (place: TreePlace): string => seal(`m${place.map(({ sid, seq }) => `${sid.toString(36)}.${seq.toString(36)}`).join('~')}-`);

/** Undefined when it is no such cursor, or of a session other than `top`. */
export const readTreeCursor = (top: number, cursor: string): TreePlace | undefined => {
  const body = cursor.length <= longestTreeCursor ? open(cursor) : undefined;
  if (!body?.startsWith('m') || !body.endsWith('-')) return undefined;
  const place = body
    .slice(1, -1)
    .split('~')
    .map((part) => {
      const [sid, seq, ...rest] = part.split('.').map(parse36);
      return sid === undefined || seq === undefined || rest.length > 0 ? undefined : { sid, seq };
    });
  const whole = place.filter((entry) => entry !== undefined);
  return whole.length === place.length && whole[0]?.sid === top ? whole : undefined;
};
