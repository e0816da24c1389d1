import type { FastifyBaseLogger } from 'fastify';
import type { WorkerLogMessage } from './worker/worker-messages.ts';

export type FunctionsLogger = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

/** A shorter value is no secret, and would blot out common words. */
const MIN_SECRET_LENGTH = 8;
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const CENSOR = '[redacted]';

/**
 * Writes what functions print as lines of the server's log, with function and request. Tokens, and the values of settings
 * that functions hold, are taken out wherever they stand.
 * @param secrets asked for at each line: settings are read again in development.
 */
export function createOutputLog(logger: FunctionsLogger, secrets: () => readonly string[]) {
  return (name: string, { level, message, details, failure, requestId }: WorkerLogMessage): void => {
    const clean = (text: string) => redact(text, secrets());
    logger[level](
      {
        function: name,
        ...(requestId ? { reqId: requestId } : {}),
        ...(details ? { details: JSON.parse(clean(JSON.stringify(details))) } : {}),
        ...(failure ? { failure: JSON.parse(clean(JSON.stringify(failure))) } : {}),
      },
      clean(message),
    );
  };
}

function redact(text: string, secrets: readonly string[]): string {
  let clean = text.replace(TOKEN, CENSOR);
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue;
    // In JSON a secret may be written with escapes.
    for (const form of new Set([secret, JSON.stringify(secret).slice(1, -1)]))
      clean = clean.replaceAll(form, CENSOR);
  }
  return clean;
}
