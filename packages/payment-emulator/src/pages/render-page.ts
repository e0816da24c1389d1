import { createHash } from 'node:crypto';
import { type Html, html } from './html.ts';

/** The one style of all pages: the product's colours, light and dark. */
const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: oklch(98.5% 0.004 85); --surface: #fff; --line: oklch(91% 0.006 85); --edge: oklch(62% 0.01 85);
  --ink: oklch(22% 0.01 260); --quiet: oklch(45% 0.01 260);
  --accent: oklch(47% 0.105 168); --on-accent: #fff; --tint: oklch(95% 0.03 168);
  --danger: oklch(50% 0.19 27); --warn: oklch(94% 0.06 85); --on-warn: oklch(38% 0.09 75);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: oklch(17% 0.008 260); --surface: oklch(21% 0.009 260); --line: oklch(30% 0.01 260); --edge: oklch(55% 0.01 260);
    --ink: oklch(93% 0.004 85); --quiet: oklch(74% 0.008 85);
    --accent: oklch(76% 0.12 168); --on-accent: oklch(20% 0.03 168); --tint: oklch(27% 0.03 168);
    --danger: oklch(74% 0.14 27); --warn: oklch(29% 0.05 75); --on-warn: oklch(86% 0.09 85);
  }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 'Inter Variable', Inter, system-ui, sans-serif; }
a { color: var(--accent); text-underline-offset: 3px }
h1 { font-size: 20px; line-height: 1.3; margin: 0 0 4px } h2 { font-size: 16px; margin: 0 0 12px } p { margin: 0 0 12px }
.bar { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; padding: 16px 20px; max-width: 980px; margin: 0 auto }
.brand { font-weight: 650; letter-spacing: -0.01em }
.mark { background: var(--warn); color: var(--on-warn); border-radius: 6px; padding: 2px 8px; font-size: 13px; font-weight: 600 }
.back { margin-left: auto }
main { max-width: 980px; margin: 0 auto; padding: 8px 20px 40px }
.narrow { max-width: 620px }
.split { display: grid; gap: 32px 56px; align-items: start }
@media (min-width: 800px) { .split { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); padding-top: 32px } }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 20px; margin: 0 0 16px }
.price { font-size: 28px; line-height: 1.25; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums }
.price small { display: inline-block }
.price small, .quiet { color: var(--quiet); font-size: 14px; font-weight: 400; letter-spacing: 0 }
.rows { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums }
.rows td, .rows th { padding: 8px 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400 }
.rows tr:first-child > * { border-top: 0 } .rows td:last-child { text-align: right; white-space: nowrap; padding-left: 12px }
.rows .total > * { font-weight: 650 }
.wide { overflow-x: auto }
label, legend { font-size: 14px; font-weight: 550 } legend { padding: 0; margin-bottom: 8px }
fieldset { border: 0; padding: 0; margin: 0 0 16px; min-width: 0 }
.field { display: block; margin: 0 0 14px }
.field input { display: block; width: 100%; margin-top: 4px }
input:not([type=radio]) { font: inherit; font-weight: 400; color: inherit; background: var(--surface); border: 1px solid var(--edge); border-radius: 8px; padding: 10px 12px; min-height: 44px; min-width: 0 }
.choice { display: flex; gap: 12px; align-items: center; min-height: 48px; padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px; margin-top: 6px; font-weight: 450 }
.choice:has(:checked) { border-color: var(--accent); background: var(--tint) }
.choice input { accent-color: var(--accent); width: 18px; height: 18px; margin: 0; flex: none }
.choice span { display: block } .choice .quiet { display: block }
.typed { display: none; align-items: end; grid-template-columns: 1fr 1fr; gap: 0 12px; padding: 14px 0 0 } .typed .field:first-child { grid-column: 1 / -1 }
fieldset:has(input[value='typed']:checked) .typed { display: grid }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: 8px 16px; border-radius: 8px; border: 1px solid var(--edge); background: var(--surface); color: var(--ink); font: inherit; font-size: 15px; font-weight: 550; text-decoration: none; cursor: pointer }
.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent) } .whole { width: 100% }
.danger { color: var(--danger) }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 12px } .actions form { margin: 0 }
.inline { display: flex; gap: 8px; align-items: flex-end } .rows + form { margin-top: 20px } .inline input { flex: 1 }
.notice { border-radius: 8px; padding: 12px 14px; margin: 0 0 16px; background: var(--tint) }
.fault { background: none; border: 1px solid var(--danger); color: var(--danger) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
footer { max-width: 980px; margin: 0 auto; padding: 0 20px 32px; color: var(--quiet); font-size: 13px }
@media (prefers-reduced-motion: no-preference) { button, .button, .choice { transition: background 120ms ease-out } }
`;

export type PagePlan = {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** Where the person came from. */
  readonly returnUrl?: string | null;
  /** Addresses that a form of the page may lead to after it was accepted. */
  readonly formTargets?: readonly (string | null | undefined)[];
  readonly isNarrow?: boolean;
};

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

/** A whole page: no scripts, nothing from elsewhere, and a clear mark that no money moves. */
export function renderPage({
  title,
  body,
  status = 200,
  returnUrl,
  formTargets = [],
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
      'content-security-policy': buildPolicy(formTargets),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
    },
  });
}

/** Browsers check where a form's redirect leads, too, so the origins of the return addresses are named. */
function buildPolicy(formTargets: readonly (string | null | undefined)[]): string {
  const origins = formTargets.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).origin] : []));
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action ${[...new Set(["'self'", ...origins])].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Leads on after a form: the browser asks for the next page with GET, so reloading it sends nothing again. */
export function redirectTo(url: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location: url, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  });
}

type MessagePlan = {
  readonly title: string;
  readonly text: string;
  readonly status?: number;
  readonly link?: { readonly url: string; readonly label: string } | null;
};

/** A page that only says something, and perhaps leads on. */
export function renderMessage({ title, text, status = 200, link }: MessagePlan): Response {
  return renderPage({
    title,
    status,
    body: html`<section class="card"><h1>${title}</h1><p>${text}</p>
${link ? html`<p class="actions"><a class="button" href="${link.url}">${link.label}</a></p>` : null}</section>`,
  });
}

/** The site whose payments these are stands at the root of the same address; it sends everybody on to where they belong. */
export const HOME = { url: '/', label: 'Voltar para a Linkoteca' } as const;

/** The page of an address that leads nowhere. It says nothing of what there is elsewhere. */
export function renderUnknown(): Response {
  return renderMessage({
    title: 'Página não encontrada',
    text: 'Este endereço não existe ou já não vale. Volte à Linkoteca e tente de novo.',
    status: 404,
    link: HOME,
  });
}
