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
