import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseFolderOf, openWalArchive } from '@linkoteca/embedded-postgres/wal-archive';
import { expect, onTestFinished, test } from 'vitest';
import { declareBaseBackup } from './base-backups.ts';

test('a base backup that was cut short goes also while nothing can be archived: it may be what fills the disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'linkoteca-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const archive = openWalArchive(folder);
  const bases = baseFolderOf(archive);
  for (const name of ['20260101T000000Z', '20260102T000000Z.part'])
    mkdirSync(join(bases, name, 'cluster'), { recursive: true });
  const { run } = declareBaseBackup({
    archive,
    days: 7,
    postgresFolder: folder,
    connection: { host: join(folder, 'nobody') },
    now: () => new Date(),
    logger: { info: () => undefined, error: () => undefined },
  });
  await expect(run({ shouldStop: () => false })).rejects.toThrow('ENOENT');
  expect(readdirSync(bases)).toEqual(['20260101T000000Z']);
});
