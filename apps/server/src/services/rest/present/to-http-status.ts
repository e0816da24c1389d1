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
export function toHttpStatus(sqlState: string, message: string, isKnown: boolean): number {
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
