import type { FastifyBaseLogger } from 'fastify';
import { decodeJwt } from 'jose';
import type { Provider } from './provider.ts';

const SOON_MS = 30 * 24 * 3_600_000;
const DAY_MS = 24 * 3_600_000;

/** When a secret that is a JWT ends; undefined where it is none, or does not say. It is ours: nothing is verified. */
export function readSecretEnd(secret: string): Date | undefined {
  try {
    const { exp } = decodeJwt(secret);
    return exp === undefined ? undefined : new Date(exp * 1000);
  } catch {
    return undefined;
  }
}

/** Providers whose secret has ended, or does within thirty days. */
export function listEnding(providers: readonly Provider[], now: Date): readonly Provider[] {
  return providers.filter(
    ({ secretEndsAt }) => secretEndsAt !== undefined && secretEndsAt.getTime() - now.getTime() < SOON_MS,
  );
}

type EndingSecretsDeps = {
  readonly providers: { readonly open: readonly Provider[] };
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
  readonly now: () => Date;
};

/** Says in the log, at the start and once a day, whose secret the operator has to replace. @returns ends that */
export function warnOfEndingSecrets({ providers, logger, now }: EndingSecretsDeps): () => void {
  const warn = () => {
    for (const { name, secretEndsAt } of listEnding(providers.open, now()))
      logger.warn(
        { provider: name, endsAt: secretEndsAt },
        'auth: the secret of a provider ends, and then nobody gets in by it',
      );
  };
  warn();
  const timer = setInterval(warn, DAY_MS).unref();
  return () => clearInterval(timer);
}
