import { asAuthAdmin } from '../../kernel/database.ts';
import type { AuthDeps } from './auth-context.ts';
import { purgeExpired } from './stores/purge-expired.ts';

const EVERY_MS = 3_600_000;

/** Sweeps used-up tokens out once an hour; the process may end without waiting for it. @returns stops the sweeping */
export function schedulePurge({ db, settings, now, logger }: AuthDeps): () => void {
  const timer = setInterval(() => {
    asAuthAdmin(db, 'purge expired tokens', (tx) =>
      purgeExpired(tx, settings.mailedTokenLifetime, now()),
    ).catch((err: unknown) => logger.warn({ err }, 'auth: expired tokens could not be purged'));
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}
