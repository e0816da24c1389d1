/** What the service itself refuses, in the hosted platform's words (protocol note, section 5), and what a person may read. */
const CATALOGUE = {
  missing_authorization: {
    status: 401,
    code: 401,
    message: 'Missing authorization header',
    text: 'Você precisa estar autenticado para realizar esta operação',
  },
  invalid_jwt: {
    status: 401,
    code: 401,
    message: 'Invalid JWT',
    text: 'Sua sessão expirou. Faça login novamente.',
  },
  too_large: { status: 413, code: 413, message: 'Payload too large', text: 'O pedido é grande demais' },
  too_many: { status: 429, code: 429, message: 'Rate limit exceeded', text: 'Muitos pedidos em pouco tempo' },
  busy: { status: 429, code: 429, message: 'Too many requests at once', text: 'O servidor está ocupado' },
  bad_request: { status: 400, code: 400, message: 'Bad request', text: 'O pedido está malformado' },
  // Nobody reads this one: the caller has gone.
  aborted: { status: 499, code: 499, message: 'Request aborted', text: 'O pedido foi cancelado' },
  boot: {
    status: 503,
    code: 'BOOT_ERROR',
    message: 'Worker failed to boot (please check logs)',
    text: 'Esta função não está disponível agora',
  },
  crashed: {
    status: 500,
    code: 'WORKER_ERROR',
    message: 'Function exited due to an error (please check logs)',
    text: 'Erro interno do servidor',
  },
  exhausted: {
    status: 546,
    code: 'WORKER_LIMIT',
    message: 'Worker failed to respond due to a resource limit (please check logs)',
    text: 'A operação exigiu recursos demais do servidor',
  },
  timeout: {
    status: 504,
    code: 'IDLE_TIMEOUT',
    message: 'The function did not answer in time',
    text: 'O servidor demorou demais para responder',
  },
} as const;

export type FunctionsFault = keyof typeof CATALOGUE;

export type FunctionsErrorOptions = ErrorOptions & {
  /** Seconds after which it is worth trying again. */
  readonly retryAfter?: number;
};

/** A refusal by the service, not by a function. */
export class FunctionsError extends Error {
  readonly fault: FunctionsFault;
  readonly retryAfter: number | undefined;

  constructor(fault: FunctionsFault, options: FunctionsErrorOptions = {}) {
    super(fault, options);
    this.fault = fault;
    this.retryAfter = options.retryAfter;
  }
}

/** Status, headers and JSON body of a refusal. */
export function presentFault({ fault, retryAfter }: FunctionsError) {
  const { status, code, message, text } = CATALOGUE[fault];
  return {
    status,
    headers: {
      'cache-control': 'no-store',
      // The published client then tells its caller that the platform failed, not the function.
      ...(status === 401 ? { 'x-relay-error': 'true' } : {}),
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
    body: {
      code,
      msg: message,
      message,
      error: retryAfter === undefined ? text : `${text}. ${describeWait(retryAfter)}`,
    },
  };
}

function describeWait(seconds: number): string {
  return seconds === 1 ? 'Tente de novo em 1 segundo.' : `Tente de novo em ${seconds} segundos.`;
}
