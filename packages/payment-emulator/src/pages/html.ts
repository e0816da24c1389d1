import { type NoticeCode, readNotice } from './format-words.ts';

/** Markup that is safe to send: every text in it has been escaped. */
export type Html = { readonly markup: string };

type Part = Html | string | number | null | undefined | false | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Writes markup; what is put into it is escaped unless it is markup itself. Nothing stands for nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = strings
    .map((text, index) => text + (index < parts.length ? render(parts[index]) : ''))
    .join('');
  return { markup };
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number')
    return String(part).replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '');
  return 'markup' in part ? part.markup : part.map(render).join('');
}

/** The notice that the address asks for. Faults are read out at once. */
export function renderNotice(url: URL): Html | null {
  const notice = readNotice(url.searchParams.get('notice'));
  if (!notice) return null;
  return notice.isGood
    ? html`<p class="notice" role="status">${notice.text}</p>`
    : html`<p class="notice fault" role="alert">${notice.text}</p>`;
}

/** A form that is refused: what it had begun is undone, and the person reads why. */
export class PageRefusal extends Error {
  override readonly name = 'PageRefusal';
  readonly notice: NoticeCode;
  /** The page that says so, below the session's address. */
  readonly step: string;

  constructor(notice: NoticeCode, step = '/home') {
    super(notice);
    this.notice = notice;
    this.step = step;
  }
}
