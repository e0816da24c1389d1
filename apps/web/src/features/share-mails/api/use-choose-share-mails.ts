import { type EndedMail, UNSUBSCRIBE_PROGRESS } from '@linkoteca/domain/messages/unsubscribe-messages';
import { useCallback } from 'react';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { useAuthorizedFetch } from '../../../shared/lib/supabase/use-authorized-fetch.ts';

export interface ShareMailChoice {
  /** Whose mails they are: the key of the mail says it. */
  readonly email: string;
  readonly stopped: boolean;
}

const UNKNOWN_KEY = 404;

/**
 * Ends mails to the address with this key, or allows them again; nobody needs to be signed in.
 * @throws Error with a sentence for people.
 */
export function useChooseShareMails() {
  const send = useAuthorizedFetch();
  const { supabaseUrl } = useBackend().config;
  return useCallback(
    async (token: string, stop: boolean, mail: EndedMail): Promise<ShareMailChoice> => {
      const response = await send(`${supabaseUrl}/functions/v1/share-unsubscribe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token, stop, mail }),
      }).catch(() => undefined);
      if (response?.status === UNKNOWN_KEY) throw new Error(UNSUBSCRIBE_PROGRESS.gone);
      const choice = response?.ok ? readChoice(await response.json().catch(() => undefined)) : undefined;
      if (choice === undefined) throw new Error(UNSUBSCRIBE_PROGRESS.failed);
      return choice;
    },
    [send, supabaseUrl],
  );
}

function readChoice(body: unknown): ShareMailChoice | undefined {
  const { email, stopped } = (body ?? {}) as { readonly email?: unknown; readonly stopped?: unknown };
  return typeof email === 'string' && typeof stopped === 'boolean' ? { email, stopped } : undefined;
}
