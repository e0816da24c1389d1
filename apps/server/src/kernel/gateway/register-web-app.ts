import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import helmet from '@fastify/helmet';
import serveFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { buildContentSecurityPolicy } from './build-content-security-policy.ts';

export type WebAppOptions = {
  /** What the build wrote: `index.html`, `assets/` with a hash in each name, and the rest. */
  readonly webFolder: string;
  readonly siteUrl: string;
  /** Whose captcha the forms show, if any. */
  readonly captcha?: 'hcaptcha' | 'turnstile' | undefined;
  /** Pages that the server draws itself. */
  readonly registerPages?: RegisterPages | undefined;
};

/** Registers pages beside the app's files. `sendApp` answers with the app's page and its headers, with the status already set. */
export type RegisterPages = (
  scope: FastifyInstance,
  sendApp: (reply: FastifyReply) => FastifyReply,
) => Promise<void>;

const NOT_BUILT = 'A aplicação web ainda não foi construída: rode "npm start".\n';
/** A hash in the name: the content never changes. */
const FOREVER = 'public, max-age=31536000, immutable';
/**
 * Kept, but asked about each time: the page names the hashed files of the newest build. Nothing in between changes it: the service worker takes the
 * very page of its build alone.
 */
const REVALIDATE = 'no-cache, no-transform';

/**
 * Serves the built web app under its security headers. A file that the build has compressed is sent compressed.
 * @returns what answers with the app's page; the router of the app then shows the right screen.
 */
export async function registerWebApp(
  app: FastifyInstance,
  { webFolder, siteUrl, captcha, registerPages }: WebAppOptions,
): Promise<(reply: FastifyReply) => FastifyReply> {
  const page = join(webFolder, 'index.html');
  if (!existsSync(page)) return (reply) => reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
  const html = readFileSync(page, 'utf8');
  const files = {
    root: webFolder,
    preCompressed: true,
    dotfiles: 'deny',
    cacheControl: false,
    // Build information: of use to the build's own checks only.
    allowedPath: (path: string) => !path.startsWith('/.'),
    setHeaders: (reply: FastifyReply, path: string) => {
      reply.header('cache-control', path.includes(`${sep}assets${sep}`) ? FOREVER : REVALIDATE);
    },
  } as const;
  // For the page that answers every address of the app, which the files' own scope does not know.
  await app.register(serveFiles, { ...files, serve: false });
  await app.register(async (scope) => {
    await scope.register(helmet, chooseHeaders({ html, siteUrl, captcha }));
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(self)');
      done();
    });
    await registerPages?.(scope, (reply) => {
      void reply.helmet();
      // Always whole and without a tag: "not modified" could stand for another page that this address once had.
      delete reply.request.headers['if-none-match'];
      delete reply.request.headers['if-modified-since'];
      return reply.sendFile('index.html', { etag: false, lastModified: false });
    });
    await scope.register(serveFiles, { ...files, decorateReply: false });
  });
  return (reply) => reply.code(200).sendFile('index.html');
}

function chooseHeaders({
  html,
  siteUrl,
  captcha,
}: Pick<WebAppOptions, 'siteUrl' | 'captcha'> & { html: string }) {
  const isSecure = siteUrl.startsWith('https:');
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: buildContentSecurityPolicy({ html, supabaseUrl: siteUrl, captcha }),
    },
    // Over plain http (a laptop) a browser ignores it, and a name like localhost must never be pinned.
    strictTransportSecurity: isSecure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    frameguard: { action: 'deny' },
    // The favicons' sites learn nothing of the address; our own services see the origin.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    originAgentCluster: true,
  } as const;
}
