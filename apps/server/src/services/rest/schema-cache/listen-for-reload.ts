import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../kernel/database.ts';
import { keepSession, openSession } from '../../../kernel/keep-session.ts';
import type { SchemaSource } from './create-schema-source.ts';

/**
 * Reloads the schema on `notify pgrst, 'reload schema'`, and whenever its session is opened anew: what was notified
 * meanwhile is lost.
 * @returns a function that stops listening.
 */
export function listenForReload(
  db: Database,
  source: SchemaSource,
  logger: FastifyBaseLogger,
): () => Promise<void> {
  let reloading: Promise<unknown> | undefined;

  function reload(): void {
    reloading = source
      .reload()
      .catch((error: unknown) => logger.error({ err: error }, 'schema reload failed'));
  }

  const session = keepSession({
    open: (onReady) =>
      openSession(db, {
        name: 'linkoteca schema cache',
        setUp: 'listen pgrst',
        onReady,
        onNotification(payload) {
          if (payload === undefined || payload === '' || payload === 'reload schema') reload();
        },
      }),
    onReady: reload,
    onLost: ({ error, delayMs }) =>
      logger.warn({ err: error, delay: delayMs }, 'schema listener lost its connection'),
    firstDelayMs: 200,
    maxDelayMs: 10_000,
  });
  return async () => {
    await session.stop();
    await reloading;
  };
}
