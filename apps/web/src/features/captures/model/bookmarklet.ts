/** Characters of what a page says of itself that travel in an address: more would be cut off, or refused by a server on the way. */
const LONGEST = { url: 2000, title: 150, text: 600 } as const;

/**
 * The address of a favourite that opens the small window with the page it is pressed on: its address, its title and what is marked in
 * it. It does nothing but open a window, which a page's content-security policy does not forbid, and sends nothing by itself.
 * @param origin of this app.
 * @param categoryId where it saves; null for the inbox.
 */
export function buildBookmarklet(origin: string, categoryId: string | null): string {
  const category = categoryId === null ? '' : `,category:${JSON.stringify(categoryId)}`;
  const code =
    `void(function(){var s=String(window.getSelection?window.getSelection():"");` +
    `window.open(${JSON.stringify(`${origin}/salvar?`)}+new URLSearchParams({` +
    `url:location.href.slice(0,${LONGEST.url}),title:document.title.slice(0,${LONGEST.title}),text:s.slice(0,${LONGEST.text})${category}` +
    `}),"_blank","popup,width=480,height=640")}())`;
  // A browser decodes it before it runs it.
  return `javascript:${encodeURIComponent(code)}`;
}
