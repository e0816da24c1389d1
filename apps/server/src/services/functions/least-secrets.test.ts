import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FUNCTION_SOURCES } from '../../project-folders.ts';
import { listFunctions, readFunctionsConfig } from './catalogue/open-catalogue.ts';
import { findWorkers } from './test-support/find-workers.ts';
import { startFunctions, type TestFunctions } from './test-support/start-functions.ts';

const PROJECT = join(import.meta.dirname, '../../../../../supabase');
const CONFIG = join(PROJECT, 'config.toml');
const FOLDER = join(PROJECT, 'functions');
const definitions = listFunctions(FOLDER, CONFIG, readFunctionsConfig(CONFIG));
const secretsOf = (name: string) => definitions.get(name)?.secrets ?? [];

describe('of the product’s functions', () => {
  const holders = (secret: string) =>
    [...definitions.values()].filter(({ secrets }) => secrets.includes(secret)).map(({ name }) => name);

  test('those that open pages of strangers have no secret', () => {
    for (const name of ['link-preview', 'link-cover', 'link-status']) expect(secretsOf(name)).toEqual([]);
  });

  test('none reaches the database around its policies by SQL', () => {
    expect(holders('SUPABASE_DB_URL')).toEqual([]);
  });

  test('the webhook alone knows what its messages are signed with', () => {
    expect(holders('STRIPE_WEBHOOK_SECRET')).toEqual(['stripe-webhook']);
  });

  test('the hook of incoming mails alone knows what opens it', () => {
    expect(holders('MAIL_IN_URL')).toEqual(['mail-in']);
  });

  test('those that people call for themselves act without the service key', () => {
    for (const name of ['link-preview', 'customer-portal', 'list-prices', 'list-invoices', 'request-refund'])
      expect(secretsOf(name)).not.toContain('SUPABASE_SERVICE_ROLE_KEY');
  });

  test.each([...definitions.keys()])('%s names each secret that its own code reads', (name) => {
    const code = readFileSync(join(FOLDER, name, 'index.ts'), 'utf8');
    const read = [...code.matchAll(/\bread\('([A-Z_]+)'\)/g)].map(([, secret]) => secret ?? '');
    // Public, or of the hosted platform alone.
    const needed = read.filter((secret) => !/^(?:SUPABASE_(?:URL|ANON_KEY)|MAIL_.*)$/.test(secret));
    expect(secretsOf(name)).toEqual(expect.arrayContaining(needed));
  });
});

describe.runIf(process.platform === 'linux')('the process of the link preview', () => {
  let functions: TestFunctions;
  beforeAll(async () => {
    functions = await startFunctions({ ...FUNCTION_SOURCES, environment: () => SETTINGS }, PROJECT);
  });
  afterAll(() => functions.stop());

  const SETTINGS = {
    SITE_URL: 'http://localhost:3000',
    STRIPE_SECRET_KEY: 'sk_test_secret_of_the_test',
    STRIPE_WEBHOOK_SECRET: 'whsec_secret_of_the_test',
  };

  test('has no secret in its environment', async () => {
    const response = await fetch(`${functions.url}/link-preview`, { method: 'OPTIONS' });
    expect(response.status).toBeLessThan(300);
    const workers = findWorkers();
    expect(workers).toHaveLength(1);
    const environment = workers[0]?.environment ?? '';
    for (const secret of [functions.keyring.serviceRoleKey, ...Object.values(SETTINGS), 'postgresql://'])
      expect(environment).not.toContain(secret);
    expect(environment.split('\0').filter((line) => /KEY|SECRET|TOKEN|PASSWORD/.test(line))).toEqual([]);
  });
});
