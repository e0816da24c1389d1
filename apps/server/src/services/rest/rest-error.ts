import { MAX_ANSWER_BYTES } from './sql/answer-bytes.ts';

/** An expected failure in the shape of the protocol: four keys in the body, a status, sometimes headers. */
export type RestFailure = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
  readonly hint: string | null;
  /** The reason phrase, where the failure brings its own. */
  readonly statusText?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Thrown once, at the service's edge, so that its error handler renders the failure. */
export class RestError extends Error {
  readonly failure: RestFailure;

  constructor(failure: RestFailure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = 'RestError';
    this.failure = failure;
  }
}

function failure(
  status: number,
  code: string,
  message: string,
  details: unknown = null,
  hint: string | null = null,
): RestFailure {
  return { status, code, message, details, hint };
}

function unauthorized(code: string, message: string, details: string | null = null): RestFailure {
  return {
    ...failure(401, code, message, details),
    headers: {
      'www-authenticate': `Bearer error="invalid_token", error_description="${message.replaceAll('"', "'")}"`,
    },
  };
}

/** The closed catalogue: PostgREST 14's codes, statuses and wording (its error reference), plus what its front server answers. */
export const restError = {
  databaseUnreachable: () => failure(503, 'PGRST000', 'Database connection error. Retrying the connection.'),
  connectionLost: () => failure(503, 'PGRST001', 'Database client error. Retrying the connection.'),
  schemaUnknown: () =>
    failure(503, 'PGRST002', 'Could not query the database for the schema cache. Retrying.'),
  poolTimeout: () => failure(504, 'PGRST003', 'Timed out acquiring connection from connection pool.'),

  shareExhausted: () => ({
    ...failure(
      429,
      'PGRST003',
      'Too many requests that take long are under way.',
      null,
      'Wait for the answers before asking more.',
    ),
    headers: { 'retry-after': '2' },
  }),

  syntax: (message: string, details: string | null) => failure(400, 'PGRST100', message, details),
  rpcMethod: (method: string) => failure(405, 'PGRST101', `Cannot use the ${method} method on RPC`),
  invalidBody: (message: string) => failure(400, 'PGRST102', message),
  answerTooLong: () =>
    failure(
      400,
      '54000',
      'The answer is too long',
      `An answer has at most ${MAX_ANSWER_BYTES} bytes.`,
      'Ask for fewer rows, columns or embedded resources (limit, select).',
    ),
  tooManyCells: () =>
    failure(
      400,
      '54001',
      'The request may answer too much',
      'The limits of the resources that are embedded in each other multiply.',
      'Give the embedded resources limits of their own (links.limit=100), or embed fewer of them.',
    ),
  tooLong: () =>
    failure(
      400,
      '57014',
      'canceling statement due to statement timeout',
      'Visitors, and requests that no index can answer, have two seconds.',
      'Narrow the request with filters on indexed columns.',
    ),
  costlyPattern: (rule: string) =>
    failure(400, '2201B', 'The regular expression is too costly', `A regular expression has ${rule}.`),
  patternOfVisitor: () => unauthorized('42501', 'Regular expressions are for signed-in callers'),
  bodyTooLarge: () => failure(413, 'PGRST102', 'Request body is too large'),
  invalidRange: (details: string) => failure(416, 'PGRST103', 'Requested range not satisfiable', details),
  offsetOutOfBounds: (offset: number, total: number): RestFailure => ({
    ...restError.invalidRange(`An offset of ${offset} was requested, but there are only ${total} rows.`),
    headers: { 'content-range': `*/${total}` },
  }),
  putFilters: () =>
    failure(405, 'PGRST105', "Filters must include all and only primary key columns with 'eq' operators"),
  unknownSchema: (schema: string, exposed: readonly string[]) =>
    failure(
      406,
      'PGRST106',
      `Invalid schema: ${schema}`,
      null,
      `Only the following schemas are exposed: ${exposed.join(', ')}`,
    ),
  mediaType: (accepted: readonly string[]) =>
    failure(406, 'PGRST107', `None of these media types are available: ${accepted.join(', ')}`),
  notEmbedded: (name: string) =>
    failure(
      400,
      'PGRST108',
      `'${name}' is not an embedded resource in this request`,
      null,
      `Verify that '${name}' is included in the 'select' query parameter.`,
    ),
  responseHeadersSetting: () =>
    failure(
      500,
      'PGRST111',
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    ),
  responseStatusSetting: () => failure(500, 'PGRST112', 'response.status guc must be a valid status code'),
  putLimit: () => failure(400, 'PGRST114', 'limit/offset querystring parameters are not allowed for PUT'),
  putMismatch: () => failure(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)'),
  notSingular: (rows: number) =>
    failure(
      406,
      'PGRST116',
      'Cannot coerce the result to a single JSON object',
      `The result contains ${rows} rows`,
    ),
  unsupportedMethod: (method: string) => failure(405, 'PGRST117', `Unsupported HTTP method: ${method}`),
  orderNotToOne: (origin: string, target: string) =>
    failure(
      400,
      'PGRST118',
      `A related order on '${target}' is not possible`,
      `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
    ),
  embedOperator: (target: string) =>
    failure(
      400,
      'PGRST120',
      `Bad operator on the '${target}' embedded resource`,
      'Only is null or not is null filters are allowed on embedded resources',
    ),
  raisedUnreadable: (details: string, hint: string) =>
    failure(500, 'PGRST121', 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error', details, hint),
  invalidPreferences: (preferences: readonly string[]) =>
    failure(
      400,
      'PGRST122',
      'Invalid preferences given with handling=strict',
      `Invalid preferences: ${preferences.join(', ')}`,
    ),
  aggregatesOff: () => failure(400, 'PGRST123', 'Use of aggregate functions is not allowed'),
  maxAffected: (rows: number) =>
    failure(
      400,
      'PGRST124',
      'Query result exceeds max-affected preference constraint',
      `The query affects ${rows} rows`,
    ),
  invalidPath: () => failure(404, 'PGRST125', 'Invalid path specified in request URL'),
  noDescription: () => failure(404, 'PGRST126', 'Root endpoint metadata is disabled'),
  aggregateOfSpread: () =>
    failure(
      400,
      'PGRST127',
      'Feature not implemented',
      'Aggregates are not implemented for one-to-many or many-to-many spreads.',
    ),
  maxAffectedRpc: () =>
    failure(
      400,
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    ),

  noRelationship: (
    origin: string,
    target: string,
    embedHint: string | undefined,
    schema: string,
    hint: string | null,
  ) =>
    failure(
      400,
      'PGRST200',
      `Could not find a relationship between '${origin}' and '${target}' in the schema cache`,
      `Searched for a foreign key relationship between '${origin}' and '${target}'${
        embedHint === undefined ? '' : ` using the hint '${embedHint}'`
      } in the schema '${schema}', but no matches were found.`,
      hint,
    ),
  ambiguousRelationship: (origin: string, target: string, candidates: readonly unknown[], hints: string) =>
    failure(
      300,
      'PGRST201',
      `Could not embed because more than one relationship was found for '${origin}' and '${target}'`,
      candidates,
      `Try changing '${target}' to one of the following: ${hints}. Find the desired relationship in the 'details' key.`,
    ),
  noFunction: (message: string, details: string, hint: string | null) =>
    failure(404, 'PGRST202', message, details, hint),
  ambiguousFunction: (signatures: readonly string[]) =>
    failure(
      300,
      'PGRST203',
      `Could not choose the best candidate function between: ${signatures.join(', ')}`,
      null,
      'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    ),
  repeatedEmbed: (name: string) => failure(400, '42712', `table name "${name}" specified more than once`),
  unknownColumn: (relation: string, column: string) =>
    failure(400, 'PGRST204', `Could not find the '${column}' column of '${relation}' in the schema cache`),
  unknownTable: (schema: string, table: string, nearest: string | undefined) =>
    failure(
      404,
      'PGRST205',
      `Could not find the table '${schema}.${table}' in the schema cache`,
      null,
      nearest === undefined ? null : `Perhaps you meant the table '${schema}.${nearest}'`,
    ),

  jwtMalformed: (message: string) => unauthorized('PGRST301', message),
  jwtUnverifiable: () =>
    unauthorized(
      'PGRST301',
      'No suitable key or wrong key type',
      'None of the keys was able to decode the JWT',
    ),
  jwtExpired: () => unauthorized('PGRST303', 'JWT expired'),
  jwtClaims: (message: string) => unauthorized('PGRST303', message),

  internal: () => failure(500, 'PGRSTX00', 'Internal server error'),
} as const;

/** What the pure stages return: a value, or an expected failure ready to be presented. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: RestFailure };

export function ok<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function fail(failure: RestFailure): { readonly ok: false; readonly failure: RestFailure } {
  return { ok: false, failure };
}
