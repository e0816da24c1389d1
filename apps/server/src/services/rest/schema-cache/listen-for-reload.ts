import type { FastifyBaseLogger } from 'fastify';
import type { Client } from 'pg';
import type { SchemaSource } from './create-schema-source.ts';

/**
 * Opens a connection of its own, outside the pool: a listener must stay on one connection. `onError` is told of every
 * loss from the first moment on: one that nobody hears ends the process.
 */
export type ConnectListener = (
  onError: (error: Error) => void,
) => Promise<Pick<Client, 'query' | 'on' | 'end'>>;

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 10_000;

/**
 * Reloads the schema on `notify pgrst, 'reload schema'`. When the connection breaks it comes back with growing
 * delays, and reloads then too: what was notified meanwhile is lost.
 * @returns a function that stops listening.
 */
export function listenForReload(
  connect: ConnectListener,
  source: SchemaSource,
  logger: FastifyBaseLogger,
): () => Promise<void> {
  let stopped = false;
  let connection: Awaited<ReturnType<ConnectListener>> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let delay = FIRST_DELAY_MS;
  let opening = Promise.resolve();

  const reload = () =>
    source.reload().catch((error: unknown) => logger.error({ err: error }, 'schema reload failed'));

  function comeBack(reason: unknown): void {
    connection = undefined;
    if (stopped || timer !== undefined) return;
    logger.warn({ err: reason, delay }, 'schema listener lost its connection');
    timer = setTimeout(() => {
      timer = undefined;
      opening = open();
    }, delay);
    timer.unref();
    delay = Math.min(delay * 2, MAX_DELAY_MS);
  }

  async function open(): Promise<void> {
    try {
      const client = await connect(comeBack);
      if (stopped) return void (await client.end());
      client.on('end', () => comeBack(undefined));
      client.on('notification', ({ payload }) => {
        if (payload === undefined || payload === '' || payload === 'reload schema') void reload();
      });
      await client.query('listen pgrst');
      if (stopped) return void (await client.end());
      connection = client;
      delay = FIRST_DELAY_MS;
      await reload();
    } catch (error) {
      comeBack(error);
    }
  }

  opening = open();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    // One that is still on its way would outlive the database it listens to.
    await opening;
    await connection?.end();
  };
}
