/** No answer of the table API is longer. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * The largest `real` lies just below 2^128: bytes are counted in units that reach it where the bound is passed, so that Postgres
 * itself ends the statement there (22003, value out of range: overflow), in the very aggregate that collects the answer.
 * @param parts how many share the bound.
 */
function unit(parts: number): string {
  return `'${(2 ** 128 / MAX_ANSWER_BYTES) * parts}'::float4`;
}

/** An expression that fails once the texts of its group are longer together than the bound allows. */
export function renderBytesOfAll(text: string, parts = 1): string {
  return `sum(octet_length(${text})::float4 * ${unit(parts)})`;
}

/** An expression that fails where a value of one aggregate, as it leaves it, is longer than the bound: header included, neither compressed nor moved out. */
export function renderBytesOfValue(value: string): string {
  return `pg_column_size(${value})::float4 * ${unit(1)}`;
}

/**
 * A statement that fails when the one `body` it gives is longer than the bound. The body is measured from outside: measured beside
 * what is made of its aggregate it would be put together twice.
 */
export function measureBody(select: string): string {
  return `select answer.*, ${renderBytesOfValue('answer.body')} as bytes from (${select}) as answer`;
}

/** Tells the error by which Postgres refuses an answer that is too long. */
export function isAnswerTooLong(error: {
  readonly code?: string | undefined;
  readonly routine?: string | undefined;
  readonly where?: string | undefined;
  readonly message: string;
}): boolean {
  const { code, routine, where, message } = error;
  if (code === '22003') return routine === 'float_overflow_error' && where === undefined;
  // What was sorted on the way to it has filled the disk space that one session may use.
  return code === '53400' && message.startsWith('temporary file size exceeds');
}
