/** Whether bytes are the picture, sound or film that they are said to be, by how files of these kinds begin. */

type Beginning = { readonly at?: number; readonly bytes: string };

/** By hexadecimal digits. */
const beginnings: Readonly<Record<'image' | 'audio' | 'video', readonly (readonly Beginning[])[]>> = {
  image: [
    [{ bytes: '89504e47' }],
    [{ bytes: 'ffd8ff' }],
    [{ bytes: '474946383761' }],
    [{ bytes: '474946383961' }],
    [{ bytes: '52494646' }, { at: 8, bytes: '57454250' }],
    [{ bytes: '49492a00' }],
    [{ bytes: '4d4d002a' }],
    [{ at: 4, bytes: '66747970' }],
  ],
  audio: [
    [{ bytes: '494433' }],
    [{ bytes: 'fffb' }],
    [{ bytes: 'fff3' }],
    [{ bytes: 'fff2' }],
    [{ bytes: 'fff1' }],
    [{ bytes: 'fff9' }],
    [{ bytes: '4f676753' }],
    [{ bytes: '664c6143' }],
    [{ bytes: '52494646' }, { at: 8, bytes: '57415645' }],
    [{ bytes: '1a45dfa3' }],
    [{ at: 4, bytes: '66747970' }],
  ],
  video: [[{ bytes: '1a45dfa3' }], [{ at: 4, bytes: '66747970' }], [{ bytes: '4f676753' }]],
};

export const isMedia = (kind: 'image' | 'audio' | 'video', bytes: Buffer): boolean =>
  beginnings[kind].some((parts) => parts.every(({ at = 0, bytes: wanted }) => bytes.subarray(at, at + wanted.length / 2).toString('hex') === wanted));
