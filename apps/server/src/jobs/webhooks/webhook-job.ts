import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { asServiceRole, type Database } from '../../kernel/database.ts';
import type { JobDeclaration } from '../create-job.ts';
import { purgeInParts } from '../sweeps.ts';
import type { PostMessage, WebhookAnswer } from './post-message.ts';

export type WebhooksDeps = {
  readonly db: Database;
  readonly post: PostMessage;
  readonly metrics: Registry;
  readonly logger: Pick<Logger, 'warn'>;
  /** Milliseconds; a clock that only goes on. */
  readonly clock?: () => number;
};

/** So many receivers at once: those that take their time hold up a place each, nobody else. */
const PLACES = 32;
/** A queued event wakes the job; what is to be tried again is found by looking. */
const LOOK_EVERY_MS = 5_000;
/** A webhook may send five a second. */
const GO_ON_AFTER_MS = 250;

type Taken = {
  readonly delivery_id: string;
  readonly message_id: string;
  readonly url: string;
  readonly secrets: readonly Buffer[];
  readonly body: string;
};

/**
 * Sends what people's webhooks wait for. Copies of the server share the work: the database gives each webhook's next delivery to one. What is
 * under way when the server ends, however it ends, is sent again a minute later, under the same id.
 */
export function declareWebhooks(deps: WebhooksDeps): JobDeclaration {
  const { db, post, metrics, logger, clock = () => performance.now() } = deps;
  const counter = new Counter({
    name: 'linkoteca_webhook_attempts_total',
    help: 'Attempts of this copy to deliver to webhooks, by what became of them.',
    labelNames: ['outcome'] as const,
    registers: [metrics],
  });
  for (const outcome of ['delivered', 'refused', 'unreachable', 'timeout'] as const)
    counter.inc({ outcome }, 0);
  let isBusy = false;

  async function deliver(taken: Taken): Promise<void> {
    const startedAt = clock();
    const answer = await post({ ...taken, id: taken.message_id });
    counter.inc({ outcome: answer.outcome });
    await note(db, taken, answer, Math.round(clock() - startedAt));
  }

  return {
    name: 'webhooks',
    everyMs: () => (isBusy ? GO_ON_AFTER_MS : LOOK_EVERY_MS),
    run: async ({ shouldStop }) => {
      isBusy = false;
      const underWay = new Set<Promise<void>>();
      const failures: unknown[] = [];
      const start = (taken: Taken) => {
        isBusy = true;
        const delivery: Promise<void> = deliver(taken)
          .catch((err: unknown) => void failures.push(err))
          .finally(() => underWay.delete(delivery));
        underWay.add(delivery);
      };
      while (failures.length === 0) {
        if (!shouldStop()) for (const taken of await take(db, PLACES - underWay.size)) start(taken);
        if (underWay.size === 0) return;
        // A receiver that takes its time is not waited for: others may have come by then.
        await Promise.race([...underWay, sleep(GO_ON_AFTER_MS, undefined, { ref: false })]);
      }
      await Promise.all(underWay);
      throw failures[0];
    },
    onFailure: (err) => logger.warn({ err }, 'webhooks could not be delivered'),
  };
}

async function take(db: Database, max: number): Promise<readonly Taken[]> {
  if (max === 0) return [];
  return await asServiceRole(db, 'take webhook deliveries', async (tx) => {
    const { rows } = await tx.query<Taken>({
      name: 'claim_webhook_deliveries',
      text: 'select delivery_id, message_id, url, secrets, body from private.claim_webhook_deliveries($1)',
      values: [max],
    });
    return rows;
  });
}

async function note(db: Database, taken: Taken, answer: WebhookAnswer, milliseconds: number): Promise<void> {
  const status = 'status' in answer ? answer.status : null;
  const retryAfter = answer.outcome === 'refused' ? (answer.retryAfterSeconds ?? null) : null;
  await asServiceRole(db, 'note a webhook delivery', (tx) =>
    tx.query({
      name: 'note_webhook_delivery',
      text: 'select private.note_webhook_delivery($1, $2, $3, $4, $5, $6)',
      values: [taken.delivery_id, answer.outcome, status, milliseconds, retryAfter, taken.url],
    }),
  );
}

/** Deletes the log of webhooks after its thirty days, and webhooks whose time to be had back is over. Any number of copies may do so. */
export function declareWebhookPurge(db: Database, logger: Pick<Logger, 'warn'>): JobDeclaration {
  return {
    name: 'webhook_purge',
    firstAfterMs: 600_000,
    everyMs: 3_600_000,
    run: (round) => purgeInParts(db, 'purge webhook deliveries', 'private.purge_webhooks', round),
    onFailure: (err) => logger.warn({ err }, 'the log of webhooks could not be purged'),
  };
}
