import pg from 'pg';
import { ShareExhausted } from '../../../kernel/fair-share.ts';
import { isDatabaseUnavailable } from '../../../kernel/is-database-unavailable.ts';
import { RestError, type RestFailure, restError } from '../rest-error.ts';
import { isAnswerTooLong } from '../sql/answer-bytes.ts';
import { toHttpStatus } from './to-http-status.ts';

/**
 * What the caller is told of anything that was thrown. Postgres's own words are part of the protocol; the words of any
 * other error stay in the log.
 * @param isKnown whether the caller came with a role of its own: a visitor who lacks a right must sign in (401).
 */
export function describeError(error: unknown, isKnown: boolean): RestFailure {
  if (error instanceof RestError) return error.failure;
  if (error instanceof ShareExhausted) return restError.shareExhausted();
  if (error instanceof pg.DatabaseError) return describeDatabaseError(error, isKnown);
  const { statusCode, message } = (error ?? {}) as { statusCode?: number; message?: string };
  if (message?.startsWith('timeout exceeded when trying to connect')) return restError.poolTimeout();
  if (isDatabaseUnavailable(error))
    return message?.startsWith('Connection terminated')
      ? restError.connectionLost()
      : restError.databaseUnreachable();
  if (statusCode === 413) return restError.bodyTooLarge();
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return { ...restError.invalidBody('Empty or invalid body'), status: statusCode };
  return restError.internal();
}

function describeDatabaseError(error: pg.DatabaseError, isKnown: boolean): RestFailure {
  if (error.code === 'PGRST') return describeRaised(error);
  if (isAnswerTooLong(error)) return restError.answerTooLong();
  const status = toHttpStatus(error.code ?? '', error.message, isKnown);
  return {
    status,
    code: error.code ?? 'XX000',
    message: error.message,
    details: error.detail ?? null,
    hint: error.hint ?? null,
    ...(status === 401 ? { headers: { 'www-authenticate': 'Bearer' } } : {}),
  };
}

type RaisedMessage = { code: string; message: string; details?: string; hint?: string };
type RaisedDetail = { status: number; headers: Record<string, string> };

/** `raise sqlstate 'PGRST'` lets a function write the whole answer: body in the message, status and headers in the detail. */
function describeRaised(error: pg.DatabaseError): RestFailure {
  if (error.detail === undefined)
    return restError.raisedUnreadable('DETAIL is missing in the RAISE statement');
  try {
    const body = JSON.parse(error.message) as RaisedMessage;
    const { status, headers } = JSON.parse(error.detail) as RaisedDetail;
    if (typeof body.code !== 'string' || typeof body.message !== 'string')
      return restError.raisedUnreadable(`Invalid JSON value for MESSAGE: '${error.message}'`);
    if (!Number.isInteger(status) || status < 200 || status > 599)
      return restError.raisedUnreadable(`Invalid JSON value for DETAIL: '${error.detail}'`);
    const { code, message, details = null, hint = null } = body;
    return { status, code, message, details, hint, headers: headers ?? {} };
  } catch {
    return restError.raisedUnreadable(
      `Invalid JSON value for MESSAGE or DETAIL: '${error.message}', '${error.detail}'`,
    );
  }
}
