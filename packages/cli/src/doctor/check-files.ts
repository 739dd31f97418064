/** Whether the bytes of files are where every node would find them. */
import type { ServerConfig } from '@turnkeeper/server/config';
import { type Finding, ok, warn } from './finding.ts';

export const checkFiles = (config: Pick<ServerConfig, 'files' | 'databaseUrl'>, areApart: boolean): Finding => {
  const check = 'files';
  const { files } = config;
  if (areApart)
    return warn(
      check,
      'their bytes are in this node’s own data folder, the sessions in PostgreSQL',
      'For several nodes set TURNKEEPER_FILES_FOLDER to a folder that all share, or TURNKEEPER_FILES_S3_BUCKET (docs/files.md).',
    );
  return ok(check, files.type === 's3' ? `bucket ${files.bucket}` : files.folder);
};
