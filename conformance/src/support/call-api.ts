import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { Deployment } from './start-deployment.ts';

/** What `/api/v1` answered. */
export type ApiReply<T> = { readonly status: number; readonly headers: Headers; readonly body: T };

export type ApiRequest = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Calls `/api/v1` as a program with a token does, and holds each answer against the installation's own document. */
export type Api = {
  readonly token: string;
  call<T = Record<string, unknown>>(method: string, path: string, request?: ApiRequest): Promise<ApiReply<T>>;
};

type Media = { readonly schema: object };
type Response = { readonly content?: Readonly<Record<string, Media>> };
type Operation = {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-codeSamples': readonly { readonly source: string }[];
};
export type ApiDocument = {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object };
};

/** The document, as an installation serves it to anybody. */
export async function readApiDocument({ url }: Deployment): Promise<ApiDocument> {
  const reply = await fetch(`${url}/api/v1/openapi.json`);
  expect(reply.status).toBe(200);
  return (await reply.json()) as ApiDocument;
}

export async function openApi(deployment: Deployment, token: string): Promise<Api> {
  const validate = createAnswerCheck(await readApiDocument(deployment));
  return {
    token,
    async call<T>(method: string, path: string, { body, headers = {} }: ApiRequest = {}) {
      const reply = await fetch(`${deployment.url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await reply.text();
      const answer: unknown = text === '' ? undefined : JSON.parse(text);
      validate({ method, path, reply, answer });
      return { status: reply.status, headers: reply.headers, body: answer as T };
    },
  };
}

type Answered = {
  readonly method: string;
  readonly path: string;
  readonly reply: globalThis.Response;
  readonly answer: unknown;
};

/** Fails for an answer that the document does not have: another status, another type, or a body that its schema does not allow. */
export function createAnswerCheck(document: ApiDocument): (answered: Answered) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  ajv.addSchema({ $id: 'https://api.test/', components: document.components });
  const compiled = new Map<object, ValidateFunction>();
  return ({ method, path, reply, answer }) => {
    const known = findOperation(document, method, path);
    const what = `${method} ${path}: ${reply.status} ${JSON.stringify(answer)}`;
    const response = known?.responses[reply.status];
    // Of a path or a method that the document does not have, there are problem details alone.
    if (known === undefined) expect([404, 405], what).toContain(reply.status);
    else expect(response, `${what} is not in the document`).toBeDefined();
    if (answer === undefined) {
      expect(response?.content, what).toBeUndefined();
      return;
    }
    const type = reply.headers.get('content-type')?.split(';')[0] ?? '';
    expect(type, what).toBe(reply.status < 400 ? 'application/json' : 'application/problem+json');
    const schema = response?.content?.[type]?.schema ?? { $ref: '#/components/schemas/Problem' };
    const check = compiled.get(schema) ?? ajv.compile(withAbsoluteRefs(schema));
    compiled.set(schema, check);
    expect(check(answer) ? [] : check.errors, what).toEqual([]);
    if (reply.status >= 400) expect((answer as { status: number }).status, what).toBe(reply.status);
  };
}

function findOperation({ paths }: ApiDocument, method: string, path: string): Operation | undefined {
  const [asked = ''] = path.split('?');
  const found = Object.entries(paths).find(([pattern]) =>
    new RegExp(`^${pattern.replace('{id}', '[^/]+')}$`).test(asked),
  );
  return found?.[1][method.toLowerCase()];
}

function withAbsoluteRefs(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components/', '"https://api.test/#/components/'),
  ) as object;
}
