import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** An address that is told of what changes, without its secret. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly created_at: string;
  readonly off_at: string | null;
  readonly off_reason: string | null;
  readonly failing_since: string | null;
  readonly waiting: number;
  readonly delivered_at: string | null;
}

export interface WebhookWish {
  readonly url: string;
  readonly events: readonly string[];
}

/** While something waits, what becomes of it is soon known. */
const SOON_MS = 3_000;

const listKey = (userId: string) => ['webhooks', userId] as const;

/** The person's webhooks, the oldest first. */
export function useWebhooks() {
  const database = useDatabase();
  return useQuery<readonly Webhook[]>({
    queryKey: listKey(useUserId()),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.some(({ waiting, off_at }) => waiting > 0 && off_at === null) ? SOON_MS : false,
    queryFn: async ({ signal }) => {
      const { data } = await database.rpc('list_webhooks').abortSignal(signal).throwOnError();
      return data;
    },
  });
}

/** A change of one webhook, or a new one; what is shown is read anew, also after a failure. */
function useWebhookChange<Wish, Answer>(
  change: (database: ReturnType<typeof useDatabase>, wish: Wish) => PromiseLike<Answer>,
) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const userId = useUserId();
  return useMutation({
    // A secret is kept nowhere: neither in the cache of answers nor with what waits for the network.
    gcTime: 0,
    mutationFn: async (wish: Wish): Promise<Answer> => await change(database, wish),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: listKey(userId) }),
        queryClient.invalidateQueries({ queryKey: ['webhook-deliveries', userId] }),
      ]),
  });
}

/** Makes a webhook. Its answer is the secret, which nobody can read again. */
export function useCreateWebhook() {
  return useWebhookChange<WebhookWish, string>(async (database, { url, events }) => {
    const { data } = await database.rpc('create_webhook', { url, events: [...events] }).throwOnError();
    return data[0]?.secret ?? '';
  });
}

/** Changes a webhook, and turns it on or off. */
export function useChangeWebhook() {
  return useWebhookChange<WebhookWish & { readonly id: string; readonly enabled: boolean }, void>(
    async (database, { id, url, events, enabled }) => {
      await database
        .rpc('change_webhook', { webhook_id: id, url, events: [...events], enabled })
        .throwOnError();
    },
  );
}

/** Another secret; its answer is the new one. */
export function useRotateSecret() {
  return useWebhookChange<string, string>(async (database, id) => {
    const { data } = await database.rpc('rotate_webhook_secret', { webhook_id: id }).throwOnError();
    return data;
  });
}

export function useDeleteWebhook() {
  return useWebhookChange<string, void>(async (database, id) => {
    await database.rpc('delete_webhook', { webhook_id: id }).throwOnError();
  });
}

/** Has a deleted one back, within the hour. */
export function useRestoreWebhook() {
  return useWebhookChange<string, void>(async (database, id) => {
    await database.rpc('restore_webhook', { webhook_id: id }).throwOnError();
  });
}

export function useTestWebhook() {
  return useWebhookChange<string, void>(async (database, id) => {
    await database.rpc('send_webhook_test', { webhook_id: id }).throwOnError();
  });
}

/** Sends a delivery once more. */
export function useResendDelivery() {
  return useWebhookChange<string, void>(async (database, id) => {
    await database.rpc('resend_webhook_delivery', { delivery_id: id }).throwOnError();
  });
}
