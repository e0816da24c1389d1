import type { Transaction } from '../../../kernel/database.ts';

/** Writes down, for tokens and screens, by which providers an account can sign in: the oldest first. */
export async function listProviders(tx: Transaction, userId: string, now: Date): Promise<void> {
  await tx.query({
    name: 'auth_list_providers',
    text: `update auth.users u
      set raw_app_meta_data = coalesce(raw_app_meta_data, '{}'::jsonb)
          || jsonb_build_object('provider', p.names -> 0, 'providers', p.names),
        updated_at = $2
      from (select jsonb_agg(provider order by first_at, provider) as names
            from (select provider, min(created_at) as first_at from auth.identities
                  where user_id = $1 group by provider) i) p
      where u.id = $1 and p.names is not null`,
    values: [userId, now],
  });
}
