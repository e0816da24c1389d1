import pg from 'pg';
import { ShareExhausted } from '../../../kernel/fair-share.ts';
import { isDatabaseUnavailable } from '../../../kernel/log-failure.ts';
import { RestError, type RestFailure, restError } from '../rest-error.ts';
import { isAnswerTooLong } from '../sql/answer-bytes.ts';
import { countRefusedRows } from '../sql/render-mutation-statement.ts';
import { describeRaised, toStatusText } from './describe-raised.ts';

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
  if (error.code === 'PGRST') return describeRaised(error.message, error.detail);
  if (isAnswerTooLong(error)) return restError.answerTooLong();
  const refusedRows = countRefusedRows(error);
  if (refusedRows !== undefined) return restError.notSingular(refusedRows);
  const status = toHttpStatus(error.code ?? '', error.message, isKnown);
  return {
    status,
    ...toStatusText(error.code ?? '', error.message),
    code: error.code ?? 'XX000',
    message: error.message,
    details: error.detail ?? null,
    hint: error.hint ?? null,
    ...(status === 401 ? { headers: { 'www-authenticate': 'Bearer' } } : {}),
  };
}

/** Whole SQLSTATEs first, then classes: PostgREST's table, except where a comment says otherwise. */
const BY_STATE: Readonly<Record<string, number>> = {
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53400': 500,
  P0001: 400,
};

const BY_CLASS: Readonly<Record<string, number>> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '21': 500,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  // PostgREST says 500: but "statement too complex" comes of what the client asked for.
  '54': 400,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
};

/** The HTTP status of a Postgres error. `PTxyz` is whatever the function that raised it decided. */
function toHttpStatus(sqlState: string, message: string, isKnown: boolean): number {
  if (sqlState === '42501') return isKnown ? 403 : 401;
  if (/^57P/.test(sqlState)) return 503;
  if (sqlState === '21000' && isClientFault(message)) return 400;
  if (sqlState === '22023' && /^role .* does not exist$/.test(message)) return 401;
  const raised = /^PT([2-5]\d\d)$/.exec(sqlState)?.[1];
  if (raised !== undefined) return Number(raised);
  if (sqlState.startsWith('PT')) return 500;
  return BY_STATE[sqlState] ?? BY_CLASS[sqlState.slice(0, 2)] ?? 400;
}

/** Two rows of one body for the same key, and an unbounded change where a filter is required. */
function isClientFault(message: string): boolean {
  return message.startsWith('ON CONFLICT DO UPDATE') || message.endsWith('requires a WHERE clause');
}
