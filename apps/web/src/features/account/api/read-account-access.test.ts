import { expect, test } from 'vitest';
import { authFailure, createFakeAuth } from '../../../shared/test/create-fake-auth.ts';
import { readAccountAccess } from './read-account-access.ts';

const SERVICE = 'http://servico.exemplo';
const ALL = { supabaseUrl: SERVICE, oauthServer: true, personalTokens: true, passkeys: true };
const TOKEN = { name: 'Script', scopes: ['share'], created_at: 'a', expires_at: 'b', last_used_at: null };
const { signal } = new AbortController();

function answering(status: number, body: unknown) {
  const asked: string[] = [];
  const send: typeof fetch = async (input) => {
    asked.push(String(input));
    return Response.json(body, { status });
  };
  return { send, asked };
}

test('reads programs, tokens and passkeys, and of a token no more than is copied', async () => {
  const auth = createFakeAuth(null);
  const grant = { client: { id: 'p', name: 'Leitor', uri: '', logo_uri: '' }, scopes: [], granted_at: 'c' };
  auth.oauth.listGrants.mockResolvedValue({ data: [grant], error: null });
  auth.passkey.list.mockResolvedValue({ data: [{ id: 'k', created_at: 'd' }], error: null });
  const { send, asked } = answering(200, [{ ...TOKEN, id: 't', token: 'segredo' }]);
  expect(await readAccountAccess({ auth: auth.client, config: ALL, send }, signal)).toEqual({
    programs: [grant],
    tokens: [TOKEN],
    passkeys: [{ id: 'k', created_at: 'd' }],
  });
  expect(asked).toEqual([`${SERVICE}/auth/v1/user/tokens`]);
});

test('asks a host for nothing that it does not have', async () => {
  const auth = createFakeAuth(null);
  const { send, asked } = answering(404, {});
  const config = { supabaseUrl: SERVICE, oauthServer: false, personalTokens: false, passkeys: false };
  expect(await readAccountAccess({ auth: auth.client, config, send }, signal)).toEqual({
    programs: [],
    tokens: [],
    passkeys: [],
  });
  expect(asked).toEqual([]);
  expect(auth.oauth.listGrants).not.toHaveBeenCalled();
  expect(auth.passkey.list).not.toHaveBeenCalled();
});

test('leaves nothing out in silence', async () => {
  const auth = createFakeAuth(null);
  const read = (send: typeof fetch) => readAccountAccess({ auth: auth.client, config: ALL, send }, signal);
  await expect(read(answering(500, {}).send)).rejects.toThrow(/personal tokens/);
  auth.passkey.list.mockResolvedValueOnce({ data: null, error: authFailure('insufficient_aal') });
  await expect(read(answering(200, []).send)).rejects.toMatchObject({ code: 'insufficient_aal' });
  auth.oauth.listGrants.mockResolvedValueOnce({ data: null, error: authFailure('bad_jwt') });
  await expect(read(answering(200, []).send)).rejects.toMatchObject({ code: 'bad_jwt' });
});
