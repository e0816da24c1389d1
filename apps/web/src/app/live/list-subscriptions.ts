import type { TableSubscription } from '../../shared/lib/realtime/realtime-source.ts';
import type { LiveScope } from './live-scope.ts';

/** What every signed-in person hears of: one's own rows, and what is shared with one's address. */
export function listSubscriptions({ userId, email }: LiveScope): readonly TableSubscription[] {
  const own = ['folders', 'categories', 'links', 'subscribers'].map(
    (table): TableSubscription => ({
      name: table,
      table,
      event: '*',
      filter: `user_id=eq.${userId}`,
    }),
  );
  if (email === '') return own;
  return [...own, { name: 'shared_with', table: 'shared_with', event: '*', filter: `email=eq.${email}` }];
}
