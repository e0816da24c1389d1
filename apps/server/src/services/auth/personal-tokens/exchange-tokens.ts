import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { asAuthAdmin } from '../../../kernel/database.ts';
import { networkOf } from '../../../kernel/networks.ts';
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

/** Tokens that nobody made, from one network: each costs the database a look. */
const MOST_UNKNOWN = { points: 100, duration: 60 };

/**
 * Takes personal tokens where any service takes a bearer token (as the platform's gateway takes its opaque keys): each becomes an access
 * token of its session, within its bounds. One that is unknown or has ended stays as it is, and every service refuses it in its own words.
 * To be registered before the services.
 */
export function exchangePersonalTokens(app: FastifyInstance, deps: ExchangeDeps): void {
  const kept = new LRUCache<string, Kept>({ max: MOST_KEPT });
  const unknown = new RateLimiterMemory(MOST_UNKNOWN);

  async function find(token: string, network: string): Promise<string | undefined> {
    const hash = hashPersonalToken(token);
    const now = deps.now().getTime();
    const known = kept.get(hash);
    if (known && known.until > now) return known.access;
    if (((await unknown.get(network))?.consumedPoints ?? 0) >= MOST_UNKNOWN.points) return undefined;
    // Many that come at once with the same token ask once.
    const access = exchange(deps, hash);
    kept.set(hash, { access, until: now + KEPT_MS });
    try {
      const found = await access;
      if (found === undefined) await unknown.penalty(network, 1);
      return found;
    } catch (error) {
      // A database that did not answer has not said that there is no such token.
      kept.delete(hash);
      throw error;
    }
  }

  app.addHook('onRequest', async (request) => {
    const token = readPersonalToken(request.headers.authorization);
    if (token === undefined) return;
    const access = await find(token, networkOf(request.ip));
    if (access !== undefined) request.headers.authorization = `Bearer ${access}`;
  });
}

type Kept = { readonly access: Promise<string | undefined>; readonly until: number };

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
