import { type AddressedCategory, sharedPath } from './shared-address.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The markup that shows a public category inside another site. Names are escaped for an attribute. */
export function sharedEmbedSnippet(origin: string, category: AddressedCategory): string {
  const title = category.name.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
  const address = `${origin}${sharedPath(category)}/embed`;
  return `<iframe src="${address}" title="${title}" width="100%" height="480" style="border:0" loading="lazy"></iframe>`;
}
