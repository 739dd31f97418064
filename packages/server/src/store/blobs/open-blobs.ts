/** The bytes of files, where the configuration says. */
import type { Blobs } from '../../ports/blobs.ts';
import type { BlobsConfig } from './blobs-config.ts';
import { createFolderBlobs } from './folder-blobs.ts';

export const openBlobs = async (config: BlobsConfig): Promise<{ readonly blobs: Blobs; readonly close: () => Promise<void> }> => {
  switch (config.type) {
    case 'folder':
      return { blobs: createFolderBlobs(config), close: async () => {} };
    case 's3': {
      const { createS3Blobs } = await import('./s3-blobs.ts');
      const blobs = createS3Blobs(config);
      return { blobs, close: blobs.close };
    }
  }
};
