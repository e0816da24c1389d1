import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateStandbyKey, planAddition } from './kernel/keys/signing-key-file.ts';
import { readSettings } from './read-settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linkoteca-signing-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A list with one key that signs. */
function makeKeys(): { readonly kid: unknown; readonly text: string } {
  const key = generateStandbyKey('ES256');
  const plan = planAddition([], key);
  return { kid: key['kid'], text: JSON.stringify('keys' in plan ? plan.keys : []) };
}

function read(environment: Record<string, string>, toml = '') {
  writeFileSync(join(folder, 'config.toml'), toml);
  const settings = readSettings({ FUNCTIONS_DIR: join(folder, 'functions'), ...environment }, folder);
  return settings.signingKeys.map(({ kid }) => kid);
}

const FILE = '[auth]\nsigning_keys_path = "./chaves.json"';

describe('the operator’s own signing keys', () => {
  it('stand in a file that the settings name from their own folder, or in GoTrue’s variable', () => {
    const [inFile, inVariable, other] = [makeKeys(), makeKeys(), makeKeys()];
    writeFileSync(join(folder, 'chaves.json'), inFile.text);
    writeFileSync(join(folder, 'outras.json'), other.text);
    expect(read({})).toEqual([]);
    expect(read({}, FILE)).toEqual([inFile.kid]);
    expect(read({ GOTRUE_JWT_KEYS: inVariable.text }, FILE)).toEqual([inVariable.kid]);
    expect(read({ JWT_KEYS: inVariable.text })).toEqual([inVariable.kid]);
    expect(
      read({ SUPABASE_AUTH_SIGNING_KEYS_PATH: './outras.json', JWT_KEYS: inVariable.text }, FILE),
    ).toEqual([other.kid]);
  });

  it('are not there where the platform’s examples say that there are none', () => {
    expect(read({ GOTRUE_JWT_KEYS: '[]' }, '[auth]\nsigning_keys_path = ""')).toEqual([]);
  });

  it('end the start by the name of where they stand, without a word of them', () => {
    expect(() => read({}, FILE)).toThrow(/auth\.signing_keys_path nomeia um arquivo que não pôde ser lido/);
    writeFileSync(join(folder, 'chaves.json'), 'segredo');
    expect(() => read({}, FILE)).toThrow(/auth\.signing_keys_path deve ser uma lista de JWKs(?!.*segredo)/);
    expect(() => read({ JWT_KEYS: '[{"kty":"oct","k":"segredo"}]' })).toThrow(
      /JWT_KEYS \(chave 1\) deve ter em k ao menos 32 bytes(?!.*segredo)/,
    );
  });
});
