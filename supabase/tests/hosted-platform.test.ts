import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPostgres15 } from '@linkoteca/test-kit/find-postgres-15';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findUnconditionalWrites, loadParser } from './support/find-unconditional-writes.ts';
import { splitStatements } from './support/split-statements.ts';
import { type HostedPlatform, startHostedPlatform } from './support/start-hosted-platform.ts';

const postgres15 = findPostgres15();
const servers = [
  { version: 18, binaries: undefined },
  ...(postgres15 ? [{ version: 15, binaries: postgres15 }] : []),
];

describe.each(servers)('a new project of the hosted platform on Postgres $version', ({ binaries }) => {
  let platform: HostedPlatform;
  beforeAll(async () => {
    platform = await startHostedPlatform(binaries ? { binaries } : {});
  }, 60_000);
  afterAll(() => platform.stop());

  test('takes every migration, statement by statement, from an account that is no superuser', async () => {
    await platform.pushMigrations();
  }, 60_000);
});
