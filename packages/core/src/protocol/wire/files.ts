/** Files and artifacts on the wire. What is asked and answered about them uses snake_case, as events do. */
import { z } from 'zod';
import { codePoints } from '../content.ts';
import { limits } from './limits.ts';
import { pageOf } from './sessions.ts';

export const fileResource = z.object({
  id: z.string(),
  /** The same as `id`: what content blocks of type `file` carry. */
  file_id: z.string(),
  name: z.string(),
  media_type: z.string(),
  size: z.int(),
  /** In hex. */
  sha256: z.string(),
  created_at: z.int(),
  download_url: z.string(),
});
export const filesPage = pageOf(fileResource);

const artifactName = z
  .string()
  .min(1)
  .refine((value) => codePoints(value) <= limits.fileNameCharacters, { error: `at most ${limits.fileNameCharacters} characters` });
/** As browsers read it: to them `https:a:b@host` has a user name as well, `\` is a slash, and tabs and line ends are not there. */
const holdsUser = (value: string): boolean => /^[^:]*:[\\/]*[^\\/?#]*@/.test(value.replaceAll(/[\t\n\r]/g, ''));
const httpsUri = z
  .url({ protocol: /^https$/, error: 'must be an https URL' })
  .max(2_000)
  .refine((value) => !holdsUser(value), { error: 'must not hold a user name' });

/** Of a file of the session, or of something elsewhere. */
export const publishArtifactRequest = z.union([
  z.strictObject({ file_id: z.string().min(1), name: artifactName.optional() }),
  z.strictObject({
    name: artifactName,
    uri: httpsUri,
    media_type: z.string().max(200).optional(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, { error: '64 hexadecimal digits' })
      .optional(),
  }),
]);

export const artifactResource = z.object({
  artifact_id: z.string(),
  name: z.string(),
  media_type: z.string().optional(),
  size: z.int().optional(),
  sha256: z.string().optional(),
  /** Of one whose bytes are here. */
  file_id: z.string().optional(),
  download_url: z.string().optional(),
  /** Of one that is elsewhere. */
  uri: z.string().optional(),
  /** The turn whose agent published it. */
  turn_id: z.string().optional(),
  created_at: z.int(),
});
export const artifactsPage = pageOf(artifactResource);

export type FileResource = z.infer<typeof fileResource>;
export type PublishArtifactRequest = z.infer<typeof publishArtifactRequest>;
export type ArtifactResource = z.infer<typeof artifactResource>;
