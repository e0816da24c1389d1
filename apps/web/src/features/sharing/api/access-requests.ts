import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { sharingKey } from './load-sharing.ts';
import { useNotifyInvited } from './notify-invited.ts';

/** Somebody who asks to see a category of one's own. */
export interface AccessRequest {
  readonly id: string;
  readonly category_id: string;
  readonly category_name: string;
  readonly asker_name: string | null;
  readonly email: string;
  readonly note: string;
  /** ISO 8601. */
  readonly asked_at: string;
}

/** Cache key of the requests that wait for a person's answer; begin-live-updates.ts names its first word. */
const accessRequestsKey = (userId: string) => ['access-requests', userId] as const;

/** The requests that wait for the person's answer, the oldest first. */
export function useAccessRequests() {
  const database = useDatabase();
  return useQuery<readonly AccessRequest[]>({
    queryKey: accessRequestsKey(useUserId()),
    queryFn: async ({ signal }) => {
      const { data } = await database.rpc('list_access_requests').abortSignal(signal).throwOnError();
      return data;
    },
  });
}

interface Answer {
  readonly request: AccessRequest;
  /** null takes a refusal back. */
  readonly allow: boolean | null;
}

/** Answers a request; whoever is let in gets the mail of an invitation. Throws the table API's error. */
export function useAnswerAccessRequest() {
  const database = useDatabase();
  const userId = useUserId();
  const queryClient = useQueryClient();
  const notify = useNotifyInvited();
  return useMutation({
    mutationKey: ['access-requests', 'answer'],
    mutationFn: async ({ request, allow }: Answer) => {
      // The generated types know no null where a function takes one.
      const args = { request_id: request.id, allow: allow as boolean };
      await database.rpc('answer_access_request', args).throwOnError();
    },
    onSuccess: (_done, { request, allow }) => {
      if (allow !== true) return;
      const { category_id: id, category_name: name, email } = request;
      void notify({ id, name, description: null }, [email]);
      void queryClient.invalidateQueries({ queryKey: sharingKey(userId, id) });
      void queryClient.invalidateQueries({ queryKey: ['categories'] });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: accessRequestsKey(userId) }),
  });
}
