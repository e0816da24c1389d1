import type { InjectOptions } from 'fastify';
import type { TestService } from './start-auth-service.ts';

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  /** Parsed JSON; text that is none; undefined when empty. */
  readonly body: unknown;
};

export type CallOptions = {
  readonly body?: unknown;
  /** Sent as a form, instead of `body`. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent as it is, instead of `body`. */
  readonly raw?: string;
  /** Bearer token. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ip?: string;
};

/** One request in process, e.g. `call(service, 'POST /signup', { body })`. The dated error shape is asked for, as clients do. */
export async function call(service: TestService, line: string, options: CallOptions = {}): Promise<Reply> {
  const [method = '', path = ''] = line.split(' ');
  const form = options.form && new URLSearchParams(options.form).toString();
  const payload =
    options.raw ?? form ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const type = form === undefined ? 'application/json;charset=UTF-8' : 'application/x-www-form-urlencoded';
  const request: InjectOptions = {
    method: method as 'GET',
    url: `/auth/v1${path}`,
    remoteAddress: options.ip ?? '127.0.0.1',
    headers: {
      'x-supabase-api-version': '2024-01-01',
      ...(payload === undefined ? {} : { 'content-type': type }),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
    ...(payload === undefined ? {} : { payload }),
  };
  const response = await service.server.inject(request);
  return { status: response.statusCode, headers: response.headers, body: parse(response.body) };
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
