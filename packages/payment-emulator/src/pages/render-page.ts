import { createHash } from 'node:crypto';
import { type Html, html } from './html.ts';
import { PAGE_STYLE } from './page-style.ts';

export type PagePlan = {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** Where the person came from. */
  readonly returnUrl?: string | null;
  /** Addresses that a form of the page may lead to after it was accepted. */
  readonly leadsTo?: readonly (string | null | undefined)[];
  readonly isNarrow?: boolean;
};

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

/** A whole page: no scripts, nothing from elsewhere, and a clear mark that no money moves. */
export function renderPage({
  title,
  body,
  status = 200,
  returnUrl,
  leadsTo = [],
  isNarrow = true,
}: PagePlan): Response {
  const page = html`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Linkoteca · modo de teste</title>
<style>${{ markup: PAGE_STYLE }}</style>
</head>
<body>
<header class="bar"><span class="brand">Linkoteca</span><span class="mark">modo de teste</span>
${returnUrl ? html`<a class="back" href="${returnUrl}">Voltar</a>` : null}</header>
<main${{ markup: isNarrow ? ' class="narrow"' : '' }}>
${body}
</main>
<footer>Ambiente de teste da Linkoteca: nenhum cartão de verdade é cobrado e nenhum dinheiro muda de mãos.</footer>
</body>
</html>`;
  return new Response(page.markup, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': buildPolicy(leadsTo),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
    },
  });
}

/** Browsers check where a form's redirect leads, too, so the origins of the return addresses are named. */
function buildPolicy(leadsTo: readonly (string | null | undefined)[]): string {
  const origins = leadsTo.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).origin] : []));
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action ${[...new Set(["'self'", ...origins])].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Leads on after a form: the browser asks for the next page with GET, so reloading it sends nothing again. */
export function leadTo(url: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location: url, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  });
}
