import type { ThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import type { TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';

export const EVENTS = ['link.created', 'link.updated', 'link.deleted', 'category.shared'];

export type Webhook = { readonly id: string; readonly secret: string };

/** What waits for a webhook, or was sent to it, as the log has it. */
export type Delivery = {
  readonly id: string;
  readonly message_id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly state: string;
  readonly attempts: number;
  readonly body: { readonly type: string; readonly timestamp: string; readonly data: EventData };
};

export type EventData = {
  readonly count?: number;
  readonly links?: readonly Record<string, unknown>[];
  readonly categories?: readonly Record<string, unknown>[];
};

/** Webhooks of people in a database, as their owners make them and as the server sends to them. */
export function openWebhooks(database: ThrowawayDatabase) {
  return {
    async create(
      owner: TestUser,
      url = 'https://recebe.exemplo.com.br/linkoteca',
      events = EVENTS,
    ): Promise<Webhook> {
      const { rows } = await queryAs<Webhook>(database, owner, 'select * from create_webhook($1, $2)', [
        url,
        events,
      ]);
      if (!rows[0]) throw new Error('no webhook came back');
      return rows[0];
    },
    async deliveries(webhookId: string): Promise<readonly Delivery[]> {
      const { rows } = await database.admin.query<Delivery>(
        `select id, message_id, type, subject, state, attempts, body::json as body
         from private.webhook_deliveries where webhook_id = $1 order by number`,
        [webhookId],
      );
      return rows;
    },
    async take(max = 16) {
      const { rows } = await queryAs<{
        delivery_id: string;
        message_id: string;
        url: string;
        secrets: readonly Buffer[];
        body: string;
      }>(database, 'service_role', 'select * from private.claim_webhook_deliveries($1)', [max]);
      return rows;
    },
    /** @returns whether the webhook is off now. */
    async note(
      deliveryId: string,
      outcome: string,
      status: number | null = null,
      retryAfter = 0,
      sentTo: string | null = null,
    ) {
      const { rows } = await queryAs<{ off: boolean }>(
        database,
        'service_role',
        'select private.note_webhook_delivery($1, $2, $3, 12, $4, $5) as off',
        [deliveryId, outcome, status, retryAfter, sentTo],
      );
      return rows[0]?.off;
    },
    /** Waits, as far as the database can tell, until the next attempt may be made. */
    async waitUntilDue(webhookId: string) {
      const { rows } = await database.admin.query<{ pause: string }>(
        `select extract(epoch from due_at - now()) + 1 as pause from private.webhooks
         where id = $1 and due_at > now() and due_at < 'infinity'`,
        [webhookId],
      );
      if (rows[0]) await this.age(webhookId, `${rows[0].pause} seconds`);
    },
    /** Lets all clocks of a webhook go on. @param interval as Postgres has it: '1 hour'. */
    async age(webhookId: string, interval: string) {
      await database.admin.query(
        `update private.webhooks set due_at = due_at - $2::interval, rest_until = rest_until - $2::interval,
           failing_since = failing_since - $2::interval, deleted_at = deleted_at - $2::interval,
           old_secret_until = old_secret_until - $2::interval, older_secret_until = older_secret_until - $2::interval where id = $1`,
        [webhookId, interval],
      );
      await database.admin.query(
        `update private.webhook_deliveries set due_at = due_at - $2::interval, created_at = created_at - $2::interval,
           give_up_at = give_up_at - $2::interval where webhook_id = $1`,
        [webhookId, interval],
      );
    },
  };
}
