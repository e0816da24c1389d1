const CATALOGUE = {
  unauthorized: { status: 401, message: 'Unauthorized' },
  forbidden: {
    status: 403,
    message: 'You do not have permissions to write to this Channel topic',
  },
  too_large: { status: 413, message: 'Payload size exceeded' },
  unsupported_type: {
    status: 415,
    message: 'Content-Type must be application/json or application/octet-stream',
  },
  unprocessable: { status: 422, message: 'Unprocessable Entity' },
  too_many: { status: 429, message: 'You have exceeded your rate limit' },
  unavailable: { status: 503, message: 'Realtime was unable to connect to the project database' },
  unexpected: { status: 500, message: 'Unexpected error' },
} as const;

export type RealtimeErrorCode = keyof typeof CATALOGUE;
/** What is wrong with each field, as upstream lists it. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export type RealtimeErrorOptions = {
  readonly message?: string;
  readonly errors?: FieldErrors;
  readonly cause?: unknown;
};

/** The service's refusals over HTTP: a closed catalogue, thrown once, rendered in one place. */
export class RealtimeError extends Error {
  readonly status: number;
  readonly errors: FieldErrors | undefined;

  constructor(code: RealtimeErrorCode, options: RealtimeErrorOptions = {}) {
    const { status, message } = CATALOGUE[code];
    super(options.message ?? message, { cause: options.cause });
    this.status = status;
    this.errors = options.errors;
  }
}
