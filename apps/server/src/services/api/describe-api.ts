import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { curlExample } from './curl-example.ts';
import { type Operation, scopeOf } from './operation.ts';
import { PROBLEMS, type ProblemCode } from './problem.ts';
import { RESOURCES } from './resources.ts';
import { messageOf, WEBHOOK_EVENTS } from './webhook-guide.ts';

type Settings = { readonly siteUrl: string; readonly oauthServerEnabled: boolean };
type Json = Readonly<Record<string, unknown>>;

const problem = v.pipe(
  v.strictObject({
    type: v.pipe(v.string(), v.url(), v.description('Where the problem is described.')),
    title: v.pipe(v.string(), v.description('Never changes for a code.')),
    status: v.pipe(v.number(), v.integer()),
    detail: v.pipe(v.string(), v.description('For the person, in Portuguese.')),
    code: v.picklist(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    errors: v.optional(
      v.pipe(
        v.array(v.strictObject({ pointer: v.string(), detail: v.string() })),
        v.description('Each field that is wrong: a JSON pointer as a fragment (RFC 6901), and why.'),
      ),
    ),
  }),
  v.title('Problem'),
  v.description('RFC 9457.'),
);

const SCHEMAS = { ...RESOURCES, Problem: problem };

/** What every operation may answer. */
const ALWAYS: readonly ProblemCode[] = [
  'missing_token',
  'invalid_token',
  'insufficient_scope',
  'too_many_requests',
  'unexpected',
  'unavailable',
];

/** The document of the API (OpenAPI 3.1), made of the schemas by which requests are read. Pure. */
export function describeApi(operations: readonly Operation[], settings: Settings): Json {
  const server = `${settings.siteUrl}/api/v1`;
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const ofPath = paths[operation.path] ?? {};
    paths[operation.path] = ofPath;
    ofPath[operation.method.toLowerCase()] = describeOperation(operation, server, settings);
  }
  return {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    info: {
      title: 'Linkoteca',
      version: '1',
      description:
        'The links of one person: folders hold categories, categories hold links, and links may have tags. A program is a caller like any other: the person’s token decides what it sees. Lists go on with next_cursor; errors are problem details (RFC 9457); POST takes an Idempotency-Key for a day. Fields may be added to answers; nothing else changes in this version.',
    },
    servers: [{ url: server }],
    tags: [...new Set(operations.map(groupOf))].map((name) => ({ name })),
    paths,
    webhooks: Object.fromEntries(
      (Object.keys(WEBHOOK_EVENTS) as (keyof typeof WEBHOOK_EVENTS)[]).map((event) => [
        event,
        describeWebhook(event),
      ]),
    ),
    components: {
      schemas: Object.fromEntries(
        Object.entries(SCHEMAS).map(([name, schema]) => [name, toSchema(schema, 'input', name)]),
      ),
      securitySchemes: describeSecurity(settings),
    },
  };
}

/** A message to a webhook, in the words of OpenAPI 3.1. */
function describeWebhook(event: keyof typeof WEBHOOK_EVENTS): Json {
  return {
    post: {
      summary: WEBHOOK_EVENTS[event].summary,
      parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
        name,
        in: 'header',
        required: true,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: toSchema(messageOf(event), 'input') } },
      },
      responses: { '2XX': { description: 'It was received.' } },
    },
  };
}

function groupOf({ path }: Operation): string {
  return path.split('/')[1] ?? '';
}

function describeOperation(operation: Operation, server: string, settings: Settings): Json {
  const { name, summary, description, content, status } = operation;
  const scopes = [scopeOf(operation)];
  return {
    operationId: name,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [groupOf(operation)],
    security: [{ token: [] }, ...(settings.oauthServerEnabled ? [{ program: scopes }] : [])],
    parameters: describeParameters(operation),
    ...(content === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: toSchema(content, 'input') } },
          },
        }),
    responses: { [String(status)]: describeSuccess(operation), ...describeProblems(operation) },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlExample(operation, server) }],
  };
}

function describeParameters({ method, path, query }: Operation): readonly Json[] {
  const inQuery = query === undefined ? {} : (toSchema(query, 'output')['properties'] as Json);
  // A parameter with a default need not be sent.
  const required = query === undefined ? [] : ((toSchema(query, 'input')['required'] ?? []) as string[]);
  return [
    ...(path.endsWith('{id}')
      ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }]
      : []),
    ...Object.entries(inQuery).map(([name, schema]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      schema,
    })),
    ...(method === 'POST'
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            description:
              'The same request under the same key is done once in 24 hours, and answered the same.',
            schema: { type: 'string', minLength: 1, maxLength: 255 },
          },
        ]
      : []),
  ];
}

function describeSuccess({ status, answer }: Operation): Json {
  return {
    description: { 200: 'Done.', 201: 'Made.', 204: 'Done; there is nothing to say.' }[status],
    ...(answer === undefined
      ? {}
      : { content: { 'application/json': { schema: toSchema(answer, 'input') } } }),
    ...(status === 201
      ? {
          headers: {
            Location: { description: 'Path of what was made.', schema: { type: 'string' } },
            'Idempotent-Replayed': {
              description: 'true where it was done before.',
              schema: { type: 'string', const: 'true' },
            },
          },
        }
      : {}),
  };
}

/** By status, each with the codes that it can have. */
function describeProblems(operation: Operation): Json {
  const codes = new Set<ProblemCode>([
    ...ALWAYS,
    ...(operation.query === undefined ? [] : (['invalid_request'] as const)),
    ...(operation.content === undefined
      ? []
      : (['invalid_request', 'invalid_content', 'too_large', 'unsupported_media_type'] as const)),
    ...(operation.method === 'POST' ? (['key_reused'] as const) : []),
    ...(operation.problems ?? []),
  ]);
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code][0]);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      String(status),
      {
        description: ofStatus.map((code) => `${PROBLEMS[code][1]} (${code})`).join('; '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        ...([429, 503].includes(status)
          ? { headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } } }
          : {}),
      },
    ]),
  );
}

function describeSecurity({ siteUrl, oauthServerEnabled }: Settings): Json {
  return {
    token: {
      type: 'http',
      scheme: 'bearer',
      description: 'A token that a person makes in their profile, tab Programas.',
    },
    ...(oauthServerEnabled
      ? {
          program: {
            type: 'oauth2',
            flows: {
              authorizationCode: {
                authorizationUrl: `${siteUrl}/auth/v1/oauth/authorize`,
                tokenUrl: `${siteUrl}/auth/v1/oauth/token`,
                scopes: {
                  'links:read': 'Read the library.',
                  'links:write': 'Read and change the library.',
                },
              },
            },
          },
        }
      : {}),
  };
}

/** A schema of the document; those with a name are referred to by it, but for the one that is being described. */
function toSchema(schema: v.GenericSchema, typeMode: 'input' | 'output', describing?: string): Json {
  const {
    $schema: _,
    $defs: __,
    ...described
  } = toJsonSchema(schema, {
    typeMode,
    target: 'draft-2020-12',
    definitions: Object.fromEntries(Object.entries(SCHEMAS).filter(([name]) => name !== describing)),
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  }) as Record<string, unknown>;
  return described;
}
