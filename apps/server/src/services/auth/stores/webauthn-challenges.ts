import type { Transaction } from '../../../kernel/database.ts';

/** What is asked of an authenticator: a new passkey of somebody, or one that says whose it is. */
type Asked = { readonly type: 'registration'; readonly userId: string } | { readonly type: 'authentication' };

/** Keeps what an authenticator is to answer. @returns the challenge's id */
export async function insertWebAuthnChallenge(
  tx: Transaction,
  asked: Asked & { readonly session: object; readonly expiresAt: Date },
  now: Date,
): Promise<string> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'auth_insert_webauthn_challenge',
    text: `insert into auth.webauthn_challenges (user_id, challenge_type, session_data, created_at, expires_at)
      values ($1, $2, $3, $4, $5) returning id`,
    values: [userIdOf(asked), asked.type, JSON.stringify(asked.session), now, asked.expiresAt],
  });
  const [row] = rows;
  if (!row) throw new Error('a challenge was not kept');
  return row.id;
}

/** Uses a challenge up, in the same statement that finds it. @returns undefined for one of another kind or person, or used before */
export async function takeWebAuthnChallenge(
  tx: Transaction,
  asked: Asked & { readonly id: string },
): Promise<{ readonly sessionData: unknown; readonly expiresAt: Date } | undefined> {
  const { rows } = await tx.query<{ session_data: unknown; expires_at: Date }>({
    name: 'auth_take_webauthn_challenge',
    text: `delete from auth.webauthn_challenges
      where id = $1 and challenge_type = $2 and user_id is not distinct from $3::uuid returning session_data, expires_at`,
    values: [asked.id, asked.type, userIdOf(asked)],
  });
  const [row] = rows;
  return row && { sessionData: row.session_data, expiresAt: row.expires_at };
}

function userIdOf(asked: Asked): string | null {
  return asked.type === 'registration' ? asked.userId : null;
}
