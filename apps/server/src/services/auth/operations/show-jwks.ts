import type { Operation } from '../auth-context.ts';

/** GET /.well-known/jwks.json: the public keys, so that anybody can verify our tokens without asking. */
export const showJwks: Operation = async ({ keyring }) => ({
  headers: { 'cache-control': 'public, max-age=600' },
  body: keyring.jwks(),
});
