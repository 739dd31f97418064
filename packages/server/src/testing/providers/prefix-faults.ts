/** What of a request keeps a provider from using what it has cached of the one before. */
import { asList, asObject } from './wire-format.ts';

/** How the providers call the list of messages. */
const lists: readonly string[] = ['messages', 'input', 'contents'];

/** Anthropic's marks say where to cache, and are no part of what is cached. */
const bytes = (value: unknown): string => JSON.stringify(value, (key, member) => (key === 'cache_control' ? undefined : member)) ?? '';

/** All but the messages is the same to the byte, and each message of the earlier request stands where it stood. */
export const prefixFaults = (before: unknown, after: unknown): readonly string[] => {
  const [earlier, later] = [asObject(before), asObject(after)];
  const members = [...new Set([...Object.keys(earlier), ...Object.keys(later)])];
  if (!members.some((name) => lists.includes(name))) return ['no messages'];
  return members.flatMap((name) => {
    if (!lists.includes(name)) return bytes(earlier[name]) === bytes(later[name]) ? [] : [`"${name}" is another`];
    const said = asList(later[name]);
    return asList(earlier[name]).flatMap((message, at) => (bytes(message) === bytes(said[at]) ? [] : [`${name} ${at} is another`]));
  });
};
