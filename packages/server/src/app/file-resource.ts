/** Files and artifacts as they are answered over the wire. */
import type { ArtifactResource, FileResource } from '@turnkeeper/core/protocol/wire/files';
import type { ArtifactBody } from '@turnkeeper/core/view/artifact';
import type { FileRow } from '../ports/file-index.ts';

const downloadUrl = (sessionId: string, fileId: string): string => `/api/v1/agent-sessions/${sessionId}/files/${fileId}/content`;

export const fileResource = ({ id, sessionId, name, mediaType, size, sha256, createdAt }: FileRow): FileResource => ({
  id,
  file_id: id,
  name,
  media_type: mediaType,
  size,
  sha256,
  created_at: createdAt,
  download_url: downloadUrl(sessionId, id),
});

export const artifactResource = (sessionId: string, { status: _, ...body }: ArtifactBody): ArtifactResource => ({
  ...body,
  ...(body.file_id === undefined ? {} : { download_url: downloadUrl(sessionId, body.file_id) }),
});
