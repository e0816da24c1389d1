import { isUuid } from '@linkoteca/domain/uuid';
import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { requireOpenSession } from '../authenticate.ts';
import { readBody, text } from '../body-fields.ts';
import { authenticateAtSecondLevel } from '../factors/assurance.ts';
import { isDataScope, readScopes } from '../oauth-server/scopes.ts';
import { recordAct } from '../stores/audit-log.ts';
import { findUser } from '../stores/users.ts';
import { deleteToken, insertToken, listTokens, type PersonalToken } from './token-store.ts';
import { createPersonalToken, hashPersonalToken } from './token-text.ts';

const BODY = v.object({ name: text, scope: text, days: v.nullish(v.number()) });

const LIFETIMES_DAYS: readonly unknown[] = [30, 90, 365];
const DAY_MS = 86_400_000;
const MAX_NAME_LENGTH = 100;
/** Of one person, at a time. */
const MOST_TOKENS = 20;

/**
 * POST /user/tokens `{ name, scope, days }`: a person makes a token for a script. The answer shows it, and nothing ever again.
 * @throws validation_failed, too_many_personal_tokens, user_not_found
 */
export const createOwnToken: Operation = async (context, request) => {
  const { user, session } = await authenticateAtSecondLevel(context, request);
  const body = readBody(BODY, request.body);
  const name = body.name.trim();
  if (name === '' || [...name].length > MAX_NAME_LENGTH)
    throw new AuthError('validation_failed', {
      message: `name must have 1 to ${MAX_NAME_LENGTH} characters`,
    });
  const scopes = readScopes(body.scope) ?? [];
  if (scopes.length === 0 || !scopes.every(isDataScope))
    throw new AuthError('validation_failed', { message: 'scope must be of links:read, links:write, share' });
  if (!LIFETIMES_DAYS.includes(body.days))
    throw new AuthError('validation_failed', { message: `days must be one of ${LIFETIMES_DAYS.join(', ')}` });
  const now = context.now();
  const token = createPersonalToken();
  const expiresAt = new Date(now.getTime() + Number(body.days) * DAY_MS);
  const made = await asAuthAdmin(context.db, 'make a personal token', async (tx) => {
    // Locked: of two at once, the second counts the first.
    if (!(await findUser(tx, { id: user.id }, { lock: true }))) throw new AuthError('user_not_found');
    await requireOpenSession(tx, session);
    if ((await listTokens(tx, user.id, now)).length >= MOST_TOKENS)
      throw new AuthError('too_many_personal_tokens');
    const hash = hashPersonalToken(token);
    const scope = scopes.join(' ');
    const inserted = await insertToken(tx, { userId: user.id, name, scope, hash, expiresAt }, now);
    const traits = { token_id: inserted.id, scope };
    await recordAct(tx, request, { action: 'personal_token_created', actor: user.id, traits }, now);
    return inserted;
  });
  return { status: 201, body: { ...present(made), token } };
};

function present(token: PersonalToken): Readonly<Record<string, unknown>> {
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
  };
}

/** GET /user/tokens: a person's tokens, without what they are. */
export const listOwnTokens: Operation = async (context, request) => {
  const { user } = await authenticateAtSecondLevel(context, request);
  const tokens = await asAuthAdmin(context.db, 'list personal tokens', (tx) =>
    listTokens(tx, user.id, context.now()),
  );
  return { body: tokens.map(present) };
};

/** DELETE /user/tokens/{id}: it ends in this moment, everywhere. @throws not_found, also for somebody else's */
export const deleteOwnToken: Operation = async (context, request) => {
  const { user } = await authenticateAtSecondLevel(context, request);
  const { token_id: id } = request.params;
  const isGone =
    isUuid(id) &&
    (await asAuthAdmin(context.db, 'end a personal token', async (tx) => {
      if (!(await deleteToken(tx, { userId: user.id, id }))) return false;
      const act = { action: 'personal_token_revoked', actor: user.id, traits: { token_id: id } } as const;
      await recordAct(tx, request, act, context.now());
      return true;
    }));
  if (!isGone) throw new AuthError('not_found', { message: 'Token not found' });
  return { status: 204 };
};
