import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { hashInline } from '../../kernel/gateway/build-content-security-policy.ts';
import { Problem } from './problem.ts';

export type ViewerDeps = {
  /** The web app as it was built, with the viewer's files in `.server/viewer`. */
  readonly webFolder: string;
  /** Without a slash at its end. */
  readonly siteUrl: string;
};

const FILES = [
  ['viewer.js', 'text/javascript; charset=utf-8'],
  ['viewer.css', 'text/css; charset=utf-8'],
] as const;

/**
 * `/try`: the document in a published viewer, which sends what one fills in. It is a megabyte of other people's script, so the page has
 * an origin of its own (`sandbox`): it sees no session, no cookie and nothing that this site keeps in the browser, and reaches this
 * address alone. What it sends carries the token that somebody typed.
 */
export function registerViewer(app: FastifyInstance, { webFolder, siteUrl }: ViewerDeps): void {
  const page = presentViewer(siteUrl);
  const policy = describePolicy(page, siteUrl);
  app.get('/try', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=600')
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(page),
  );
  for (const [name, type] of FILES)
    app.get(`/try/${name}`, async (_request, reply) => {
      const file = await readFile(join(webFolder, `.server/viewer/${name}.gz`)).catch(() => undefined);
      if (file === undefined)
        throw new Problem('not_found', { detail: 'A aplicação web não foi construída.' });
      // Its page is of no origin, and asks as one.
      return reply
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'public, max-age=600')
        .header('content-encoding', 'gzip')
        .type(type)
        .send(file);
    });
}

function presentViewer(siteUrl: string): string {
  const options = { url: `${siteUrl}/api/v1/openapi.json`, dom_id: '#viewer', validatorUrl: null };
  // As text of a script: no address can end it.
  const json = JSON.stringify(options).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Linkoteca API, to try</title>
<link rel="stylesheet" href="try/viewer.css" crossorigin><script src="try/viewer.js" crossorigin></script></head>
<body><noscript>This page needs scripts. The same to read, with a command beside each operation: <a href="docs">docs</a>.</noscript><div id="viewer"></div><script>document.documentElement.classList.toggle('dark-mode',matchMedia('(prefers-color-scheme: dark)').matches);SwaggerUIBundle({...${json},tryItOutEnabled:true})</script></body></html>
`;
}

function describePolicy(page: string, siteUrl: string): string {
  const { origin } = new URL(siteUrl);
  return [
    'sandbox allow-scripts allow-forms',
    "default-src 'none'",
    `script-src 'self' ${origin} ${hashInline(page, 'script').join(' ')}`,
    `style-src 'self' ${origin} 'unsafe-inline'`,
    'img-src data:',
    `connect-src 'self' ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
