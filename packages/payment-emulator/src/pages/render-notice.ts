import { type Html, html } from './html.ts';
import { readNotice } from './page-messages.ts';

/** The notice that the address asks for. Faults are read out at once. */
export function renderNotice(url: URL): Html | null {
  const notice = readNotice(url.searchParams.get('notice'));
  if (!notice) return null;
  return notice.isGood
    ? html`<p class="notice" role="status">${notice.text}</p>`
    : html`<p class="notice fault" role="alert">${notice.text}</p>`;
}
