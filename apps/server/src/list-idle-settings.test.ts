import { expect, it } from 'vitest';
import { listIdleSettings } from './list-idle-settings.ts';

it('names what is set and not used, without its values', () => {
  const s3 = {
    endpoint: 'https://s3.exemplo',
    region: 'x',
    bucket: 'b',
    accessKeyId: 'id',
    secretAccessKey: 'segredo',
  };
  expect(listIdleSettings({ s3 })).toEqual(['S3_*']);
  expect(listIdleSettings({ s3: undefined })).toEqual([]);
});
