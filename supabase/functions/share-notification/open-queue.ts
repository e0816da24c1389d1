import { callDatabase, type DatabaseAccess } from '../_shared/call-database.ts';
import type { DueShareMail, ShareMailQueue } from '../_shared/work-off-share-mails.ts';

/** The queue as the service role reaches it, of one category or of all. */
export function openQueue(access: DatabaseAccess, category?: string): ShareMailQueue {
  const call = async (name: string, args: object): Promise<unknown> => {
    const answer = await callDatabase(access, name, args);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return answer.value;
  };
  return {
    claim: async (max) =>
      (await call('claim_share_notifications', { max, for_category: category ?? null })) as DueShareMail[],
    begin: async (id) => (await call('begin_share_notification', { id })) === true,
    finish: (id, outcome) => call('finish_share_notification', { id, outcome }),
  };
}
