import { TAG_MESSAGES } from '@linkoteca/domain/messages/tag-messages';
import type { QueryClient } from '@tanstack/react-query';
import type { CaptureSender } from '../../features/captures/api/send-captures.ts';
import { fetchLinkPreview } from '../../features/links/api/fetch-link-preview.ts';
import { tagLinks } from '../../features/tags/api/tag-links.ts';
import { describeTagFailure } from '../../features/tags/model/describe-tag-failure.ts';
import type { Connection } from '../../shared/lib/connection/create-connection.ts';
import { isOfflineError } from '../../shared/lib/describe-error.ts';
import type { Backend } from '../../shared/lib/supabase/backend-context.tsx';
import { createAuthorizedFetch } from '../../shared/lib/supabase/create-authorized-fetch.ts';
import type { DatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';
import { toast } from '../../shared/ui/feedback/toast.ts';
import { beginSending } from './begin-sending.ts';

export interface CaptureServices {
  readonly backend: Backend;
  readonly database: DatabaseClient;
  readonly queryClient: QueryClient;
  readonly connection: Connection | null;
  readonly userId: string;
}

/** How long a page may take to say its title, milliseconds; its host stands in after that. */
const TITLE_WAIT_MS = 2_500;

/** Sends a person's captures for as long as the page is open, and gives them what a form would have: a title and tags. */
export function beginCaptures({ backend, ...services }: CaptureServices): () => void {
  const { database, queryClient, connection, userId } = services;
  const saveTags: CaptureSender['saveTags'] = async (linkId, names) => {
    try {
      await tagLinks(
        { database, queryClient, userId },
        { ids: [linkId], added: names, removed: [] },
        () => undefined,
      );
    } catch (error) {
      if (connection?.isOnline() === false || isOfflineError(error)) return 'away';
      toast.error(TAG_MESSAGES.linkWithoutTags, describeTagFailure(error, TAG_MESSAGES.retry));
    }
    return 'done';
  };
  return beginSending({
    ...services,
    saveTags,
    readTitle: createTitleReader({ backend, connection, userId }),
  });
}

/** Asks pages for their titles, until the service has had enough of it. */
function createTitleReader({
  backend: { config, auth },
  connection,
  userId,
}: Pick<CaptureServices, 'backend' | 'connection' | 'userId'>) {
  const send = createAuthorizedFetch({
    auth,
    anonKey: config.supabaseAnonKey,
    request: connection?.request ?? ((...request) => fetch(...request)),
    userId,
  });
  let enough = false;
  return async (url: string): Promise<string | null> => {
    if (enough) return null;
    const late = AbortSignal.timeout(TITLE_WAIT_MS);
    const said = await fetchLinkPreview(send, config.supabaseUrl, url, late).catch(() => null);
    enough = said?.kind === 'busy';
    return said?.kind === 'found' && said.title !== '' ? said.title : null;
  };
}
