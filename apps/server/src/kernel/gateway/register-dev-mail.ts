import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { OperatorAccess } from './operator-access.ts';
import { readMailFolder } from './read-mail-folder.ts';
import { MAIL_PAGE_STYLE, renderMailFrame, renderMailPage } from './render-mail-page.ts';

export type DevMailOptions = { readonly mailFolder: string; readonly operator: OperatorAccess };

const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(MAIL_PAGE_STYLE).digest('base64')}'`,
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Mail programs run no scripts either. Sandboxed by the answer itself, so that it is safe outside of its frame too. */
const FRAME_POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src https: data:',
  "frame-ancestors 'self'",
].join('; ');

/**
 * Shows the mails of an installation that has no mail server. They hold links that sign people in, so nobody but the
 * operator sees that the page exists. Register it only without SMTP.
 */
export function registerDevMail(app: FastifyInstance, { mailFolder, operator }: DevMailOptions): void {
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const exchanged = operator.exchangeKey(request, reply, '/dev/mail');
      if (exchanged) return exchanged;
      if (!operator.isOperator(request)) return reply.callNotFound();
      reply.headers({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
    });

    scope.get('/dev/mail', async (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', PAGE_POLICY)
        .send(renderMailPage(await readMailFolder(mailFolder))),
    );

    scope.get('/dev/mail.json', async (_request, reply) => reply.send(await readMailFolder(mailFolder)));

    scope.get<{ Params: { id: string } }>('/dev/mail/:id', async (request, reply) => {
      const mail = (await readMailFolder(mailFolder)).find(({ id }) => id === request.params.id);
      if (!mail) return reply.callNotFound();
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', FRAME_POLICY)
        .send(renderMailFrame(mail));
    });
  });
}
