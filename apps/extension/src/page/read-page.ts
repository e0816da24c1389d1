/** What a page says of itself, cut to what can be of use. */
export interface PageText {
  readonly title: string;
  readonly description: string;
  readonly selection: string;
}

/**
 * Reads the page that it runs in. It is sent there as text, so that it names nothing from outside itself; and the page may be hostile,
 * so that nothing of the document is asked by a name that the page can take (`<img name="querySelector">` becomes `document.querySelector`).
 */
export function readPage(): PageText {
  /** Characters of each text: no more than this leaves the page, however much it says. */
  const most = 5_000;
  const clean = (text: unknown) => (typeof text === 'string' ? text.slice(0, most) : '');
  const find = (selector: string) => Document.prototype.querySelector.call(document, selector);
  const contentOf = (...names: string[]) => {
    for (const name of names) {
      const found = find(`meta[name="${name}" i], meta[property="${name}" i]`);
      const content = clean(found?.getAttribute('content')).trim();
      if (content !== '') return content;
    }
    return '';
  };
  return {
    title: contentOf('og:title') || clean(find('head > title')?.textContent),
    description: contentOf('description', 'og:description', 'twitter:description'),
    selection: clean(String(window.getSelection() ?? '')),
  };
}
