import { join } from 'node:path';
import type { Settings } from '../../../kernel/settings.ts';
import type { BlobStore } from './blob-store.ts';
import { createFolderStore } from './create-folder-store.ts';

/** Where the bytes of files lie: in object storage where one is set, else in the data folder. Nothing is connected yet. */
export async function openBlobStore({
  s3,
  dataFolder,
}: Pick<Settings, 's3' | 'dataFolder'>): Promise<BlobStore> {
  const folder = join(dataFolder, 'storage');
  if (s3 === undefined) return createFolderStore(folder);
  const { createS3Store } = await import('./create-s3-store.ts');
  return createS3Store({ ...s3, spoolFolder: join(folder, '.unfinished') });
}
