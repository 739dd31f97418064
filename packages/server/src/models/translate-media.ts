/** Media blocks as the AI SDK's file parts. */
import type { LanguageModelV4FilePart } from '@ai-sdk/provider';
import type { InputBlock } from '@turnkeeper/core/protocol/content';

export type MediaBlock = Extract<InputBlock, { type: 'image' | 'audio' | 'video' }>;

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
};

/** Some providers want the full type of a URL; where nobody said it, its ending does, else only the kind is known. */
const typeOfUrl = (url: URL, kind: MediaBlock['type']): string => {
  const guess = mediaTypes[url.pathname.split('.').at(-1)?.toLowerCase() ?? ''];
  return guess?.startsWith(`${kind}/`) ? guess : kind;
};

const dataUrl = /^data:([^;,]+);base64,(.+)$/s;

export const toFilePart = ({ type: kind, source, name }: MediaBlock): LanguageModelV4FilePart => {
  const named = name === undefined ? {} : { filename: name };
  switch (source.type) {
    case 'base64':
      return { type: 'file', mediaType: source.media_type, data: { type: 'data', data: source.data }, ...named };
    case 'url': {
      const inline = dataUrl.exec(source.url);
      if (inline?.[1] && inline[2]) return { type: 'file', mediaType: inline[1], data: { type: 'data', data: inline[2] }, ...named };
      const url = new URL(source.url);
      return { type: 'file', mediaType: source.media_type ?? typeOfUrl(url, kind), data: { type: 'url', url }, ...named };
    }
  }
};

/** What stands in for a medium that cannot be shown to the model. */
export const inWords = ({ type: kind, source, name }: MediaBlock): string => {
  const place = source.type === 'url' && !source.url.startsWith('data:') ? ` at ${source.url}` : '';
  return `[${kind}${name === undefined ? '' : ` "${name}"`}${source.media_type === undefined ? '' : ` (${source.media_type})`}${place}, not shown]`;
};
