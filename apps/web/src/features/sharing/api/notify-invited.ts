import { useCallback } from 'react';
import { log } from '../../../shared/lib/log.ts';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { useAuthorizedFetch } from '../../../shared/lib/supabase/use-authorized-fetch.ts';

/** What the mail is about. */
export interface SharedSubject {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
}

/**
 * Has the mails to newly invited people sent now (specification, section 7). The database has queued them with the list, so
 * they go out later by themselves where this call fails; nobody waits for it.
 */
export function useNotifyInvited() {
  const send = useAuthorizedFetch();
  const { supabaseUrl } = useBackend().config;
  const ownerName = usePerson()?.name ?? '';
  return useCallback(
    async ({ id, name, description }: SharedSubject, emails: readonly string[]): Promise<void> => {
      if (emails.length === 0) return;
      try {
        const response = await send(`${supabaseUrl}/functions/v1/share-notification`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ categoryId: id, emails, categoryName: name, ownerName, description }),
          // The tab may be closed right after saving.
          keepalive: true,
        });
        if (!response.ok) log.warn('the invitation mails wait in their queue', response.status);
      } catch (reason) {
        log.warn('the invitation mails wait in their queue', reason);
      }
    },
    [send, supabaseUrl, ownerName],
  );
}
