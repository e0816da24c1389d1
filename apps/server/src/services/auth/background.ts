import type { FastifyBaseLogger } from 'fastify';

/** Work that no answer waits for. */
export type Background = {
  /** Starts it; a failure is logged and changes nothing. @param subject for the log */
  run(subject: string, work: () => Promise<void>): void;
  /** Resolves when nothing is under way any more. */
  settle(): Promise<void>;
};

export function createBackground(logger: Pick<FastifyBaseLogger, 'error'>): Background {
  const underway = new Set<Promise<void>>();
  return {
    run(subject, work) {
      const running = work().catch((err: unknown) => logger.error({ err }, `auth: ${subject} failed`));
      underway.add(running);
      running.finally(() => underway.delete(running));
    },
    async settle() {
      await Promise.allSettled(underway);
    },
  };
}
