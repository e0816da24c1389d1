import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { AuthContext } from '../auth-context.ts';
import { signSessionToken } from '../present/present-session.ts';
import { findSession, findSessionEnd } from '../stores/sessions.ts';
import { findUser } from '../stores/users.ts';
import { isBanned } from '../user-state.ts';
import { noteUse } from './token-store.ts';
import { hashPersonalToken, readPersonalToken } from './token-text.ts';

export type ExchangeDeps = Pick<AuthContext, 'db' | 'keyring' | 'settings' | 'now' | 'logger'>;

/** So long a token is not looked up again. It ends with its session all the same, of which every statement asks. */
const KEPT_MS = 60_000;
const MOST_KEPT = 5_000;
/** Longer than a token is kept, so that none expires on its way to a service. */
const ACCESS_SECONDS = 300;

/**
 * Takes personal tokens where any service takes a bearer token (as the platform's gateway takes its opaque keys): each becomes an access
 * token of its session, within its bounds. One that is unknown or has ended stays as it is, and every service refuses it in its own words.
 * To be registered before the services.
 */
export function exchangePersonalTokens(app: FastifyInstance, deps: ExchangeDeps): void {
  const kept = new LRUCache<string, Promise<string | undefined>>({ max: MOST_KEPT });
  const keptUntil = new WeakMap<Promise<string | undefined>, number>();

  function find(token: string): Promise<string | undefined> {
    const hash = hashPersonalToken(token);
    const now = deps.now().getTime();
    const known = kept.get(hash);
    if (known && (keptUntil.get(known) ?? 0) > now) return known;
    const found = exchange(deps, hash);
    keptUntil.set(found, now + KEPT_MS);
    kept.set(hash, found);
    // Neither a token that is not there nor a database that did not answer is remembered.
    const forget = () => {
      if (kept.peek(hash) === found) kept.delete(hash);
    };
    found.then((access) => access ?? forget(), forget);
    return found;
  }

  app.addHook('onRequest', async (request) => {
    const token = readPersonalToken(request.headers.authorization);
    if (token === undefined) return;
    const access = await find(token);
    if (access !== undefined) request.headers.authorization = `Bearer ${access}`;
  });
}

async function exchange(deps: ExchangeDeps, hash: string): Promise<string | undefined> {
  const now = deps.now();
  const found = await asAuthAdmin(deps.db, 'exchange a personal token', async (tx) => {
    const used = await noteUse(tx, hash, now);
    const session = used && (await findSession(tx, used.sessionId));
    const user = session && (await findUser(tx, { id: session.userId }));
    if (!session || !user || isBanned(user, now) || findSessionEnd(session, deps.settings, now))
      return undefined;
    return { session, user, expiresAt: used.expiresAt };
  });
  if (!found) return undefined;
  const secondsLeft = Math.floor((found.expiresAt.getTime() - now.getTime()) / 1000);
  return signSessionToken(deps, found.user, {
    session: found.session,
    method: 'token_refresh',
    lifetime: Math.min(ACCESS_SECONDS, secondsLeft),
  });
}
