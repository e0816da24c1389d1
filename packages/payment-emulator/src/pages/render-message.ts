import { html } from './html.ts';
import { renderPage } from './render-page.ts';

export type MessagePlan = {
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
