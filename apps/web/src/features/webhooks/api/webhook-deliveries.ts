import { useInfiniteQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** What was sent to a webhook, or waits. */
export interface WebhookDelivery {
  readonly id: string;
  /** Its place in the log: the newest has the highest. */
  readonly number: number;
  readonly type: string;
  readonly subject: string | null;
  readonly created_at: string;
  readonly state: string;
  readonly attempts: number;
  readonly attempted_at: string | null;
  readonly outcome: string | null;
  readonly status: number | null;
  readonly next_at: string | null;
}

const PAGE_SIZE = 20;
/** While something waits, what becomes of it is soon known. */
const SOON_MS = 3_000;

/** The log of a webhook, the newest first, a page of twenty at a time. */
export function useWebhookDeliveries(webhookId: string) {
  const database = useDatabase();
  return useInfiniteQuery({
    queryKey: ['webhook-deliveries', useUserId(), webhookId],
    staleTime: 0,
    initialPageParam: null as number | null,
    getNextPageParam: (page: readonly WebhookDelivery[]) =>
      page.length < PAGE_SIZE ? undefined : page.at(-1)?.number,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.some((delivery) => delivery.state === 'waiting') ? SOON_MS : false,
    queryFn: async ({ pageParam, signal }): Promise<readonly WebhookDelivery[]> => {
      const { data } = await database
        .rpc('list_webhook_deliveries', {
          webhook_id: webhookId,
          ...(pageParam === null ? {} : { before: pageParam }),
        })
        .abortSignal(signal)
        .throwOnError();
      return data;
    },
  });
}
