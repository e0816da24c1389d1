import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Library } from '../../library/library.ts';
import type { Answer } from './operation.ts';
import { Problem } from './problem.ts';

/** Printable ASCII, as a structured string without its quotation marks or with them. */
const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * The key under which a request may be sent again (draft-ietf-httpapi-idempotency-key-header).
 * @returns undefined where there is none
 * @throws Problem invalid_request
 */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  const key = Array.isArray(given) ? given.join(', ') : given;
  const text = /^"(.+)"$/.exec(key)?.[1] ?? key;
  if (!KEY.test(text))
    throw new Problem('invalid_request', {
      detail: 'Idempotency-Key: de 1 a 255 caracteres ASCII visíveis.',
    });
  return text;
}

type Request = { readonly key: string; readonly path: string; readonly content: unknown };

/**
 * Does something once, however often it is asked: what was answered is kept with what was done, in one transaction. Whoever asks the
 * same at the same moment waits for the other.
 * @param library of one transaction
 * @throws Problem key_reused
 */
export async function runOnce(
  library: Library,
  { key, path, content }: Request,
  run: () => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly isReplayed: boolean }> {
  const request = createHash('sha256')
    .update(JSON.stringify([path, content]))
    .digest('hex');
  const { rows } = await library.write<{ asked: string; answer: Answer | null }>({
    name: 'api_claim_key',
    text: 'select asked, answer from private.claim_idempotency_key($1, $2)',
    values: [key, request],
  });
  const [used] = rows;
  if (used !== undefined) {
    if (used.asked !== request || used.answer === null) throw new Problem('key_reused');
    return { answer: used.answer, isReplayed: true };
  }
  const answer = await run();
  await library.write({
    name: 'api_keep_answer',
    text: 'select private.note_idempotent_answer($1, $2::json)',
    values: [key, JSON.stringify(answer)],
  });
  return { answer, isReplayed: false };
}
