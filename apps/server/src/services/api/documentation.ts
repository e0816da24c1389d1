import { CLIENT_RULES, CLIENT_SAMPLE } from './client-guide.ts';
import { PROBLEMS } from './problem.ts';
import { describeType, type JsonSchema, listFields } from './schema-text.ts';
import { WEBHOOK_RECEIVER, WEBHOOK_RULES } from './webhook-guide.ts';

type Response = {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
};

type DescribedOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: Response;
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-codeSamples': readonly { readonly source: string }[];
};

type WebhookMessage = { readonly summary: string; readonly requestBody: Response };

/** What this page reads of the document of the API. */
export type ApiDescription = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: WebhookMessage }>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
};

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
h2,h3{margin:2rem 0 .5rem}h3 code{font-size:1.05rem}table{border-collapse:collapse;width:100%;margin:.5rem 0}
th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8884}
pre{overflow-x:auto;padding:.75rem;border:1px solid #8884;border-radius:.5rem}code{overflow-wrap:anywhere}
nav a{margin-right:1rem}section:target,tr:target{outline:2px solid;outline-offset:4px}`;

/**
 * The document as a page to read: no script, and nothing from elsewhere. Each operation has a command to try it with. Pure.
 * @returns a whole HTML document with one element of style
 */
export function presentDocumentation(api: ApiDescription): string {
  const { info, paths, components } = api;
  const operations = Object.entries(paths).flatMap(([path, ofPath]) =>
    Object.entries(ofPath).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const groups = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '');
  const server = api.servers[0]?.url ?? '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeText(info.title)} API ${escapeText(info.version)}</title><style>${STYLE}</style></head><body><main>
<h1>${escapeText(info.title)} API</h1>
<p>${escapeText(info.description)}</p>
<p>Address: <code>${escapeText(server)}</code>. For machines: <a href="${escapeText(server)}/openapi.json">openapi.json</a> (OpenAPI 3.1; pages of any origin may read it, so every viewer can open it).
Send <code>Authorization: Bearer …</code> with a token of your own: make one in your profile, tab <em>Programas</em>, and put it into <code>$LINKOTECA_TOKEN</code> to try the commands below, or fill it in on the <a href="${escapeText(server)}/try">page to try it</a>.</p>
<nav aria-label="Contents">${[...groups.keys()].map((name) => `<a href="#${escapeText(name)}">${escapeText(name)}</a>`).join(' ')} <a href="#client">client</a> <a href="#webhooks">webhooks</a> <a href="#schemas">schemas</a> <a href="#problems">problems</a></nav>
${[...groups].map(([name, of]) => `<h2 id="${escapeText(name)}">${escapeText(name)}</h2>${of.map(presentOperation).join('\n')}`).join('\n')}
<h2 id="client">TypeScript client</h2>
${CLIENT_RULES.map((rule) => `<p>${escapeText(rule)}</p>`).join('\n')}
<pre><code>${escapeText(CLIENT_SAMPLE.replace('SITE', () => server.replace(/\/api\/v1$/, '')))}</code></pre>
${presentWebhooks(api)}
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(presentSchema).join('\n')}
<h2 id="problems">Problems</h2>
<p>Errors are problem details (RFC 9457): <code>code</code> and <code>title</code> never change, <code>detail</code> is for the person, in Portuguese.</p>
<table><thead><tr><th scope="col">code</th><th scope="col">status</th><th scope="col">title</th><th scope="col">detail</th></tr></thead><tbody>
${Object.entries(PROBLEMS)
  .map(
    ([code, [status, title, detail]]) =>
      `<tr id="${escapeText(code)}"><td><code>${escapeText(code)}</code></td><td>${status}</td><td>${escapeText(title)}</td><td lang="pt-BR">${escapeText(detail)}</td></tr>`,
  )
  .join('\n')}
</tbody></table>
</main></body></html>
`;
}

type Listed = { readonly path: string; readonly method: string; readonly operation: DescribedOperation };

function presentOperation({ path, method, operation }: Listed): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const content = requestBody?.content?.['application/json']?.schema;
  const answers = Object.entries(responses).map(([status, response]) => {
    const schema = response.content?.['application/json']?.schema;
    const type = schema === undefined ? '' : `: ${linkTypes(describeType(schema))}`;
    return `<tr><td>${escapeText(status)}</td><td>${escapeText(response.description.replace(/\.$/, ''))}${type}</td></tr>`;
  });
  return `<section id="${escapeText(operationId)}"><h3><code>${escapeText(method)} ${escapeText(path)}</code></h3>
<p>${escapeText(summary)}.${description === undefined ? '' : ` ${escapeText(description)}`}</p>
${presentFields(
  'Parameters',
  parameters.map((one) => ({
    name: `${one.name} (${one.in})`,
    isRequired: one.required,
    type: describeType(one.schema),
    text: one.description ?? one.schema.description ?? '',
  })),
)}${content === undefined ? '' : presentFields('Content', listFields(content))}
<pre><code>${escapeText(operation['x-codeSamples'][0]?.source ?? '')}</code></pre>
<table><thead><tr><th scope="col">status</th><th scope="col">answer</th></tr></thead><tbody>${answers.join('')}</tbody></table></section>`;
}

function presentWebhooks({ webhooks }: ApiDescription): string {
  const events = Object.entries(webhooks).map(([event, { post }]) => {
    const schema = post.requestBody.content?.['application/json']?.schema;
    const data = listFields(schema ?? {}).find(({ name }) => name === 'data');
    return `<tr><td><code>${escapeText(event)}</code></td><td>${escapeText(post.summary)}</td><td>${escapeText(data?.type ?? '')}</td></tr>`;
  });
  return `<h2 id="webhooks">Webhooks</h2>
${WEBHOOK_RULES.map((rule) => `<p>${escapeText(rule)}</p>`).join('\n')}
<table><thead><tr><th scope="col">type</th><th scope="col">when</th><th scope="col">data</th></tr></thead><tbody>${events.join('')}</tbody></table>
<p>A receiver:</p><pre><code>${escapeText(WEBHOOK_RECEIVER)}</code></pre>`;
}

function presentSchema([name, schema]: readonly [string, JsonSchema]): string {
  return `<section id="schema-${escapeText(name)}"><h3><code>${escapeText(name)}</code></h3>${presentFields('Fields', listFields(schema))}</section>`;
}

type Field = {
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: string;
  readonly text: string;
};

function presentFields(caption: string, fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(
    ({ name, isRequired, type, text }) =>
      `<tr><td><code>${escapeText(name)}</code>${isRequired ? '' : ' (optional)'}</td><td>${linkTypes(type)}</td><td>${escapeText(text)}</td></tr>`,
  );
  return `<table><thead><tr><th scope="col">${caption}</th><th scope="col">type</th><th scope="col">meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** Names of schemas, which begin with a capital, lead to them. */
function linkTypes(type: string): string {
  return escapeText(type).replaceAll(/\b[A-Z][a-z]+\b/g, (name) => `<a href="#schema-${name}">${name}</a>`);
}

function escapeText(text: string): string {
  const ENTITIES: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}
