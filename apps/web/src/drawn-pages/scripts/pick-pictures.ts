/**
 * Pictures of the theme that is fixed in this browser, where it is not the system's: sources that name the other theme
 * never match, sources that name this one match whatever the system says.
 */
export function pickPictures(document: Document): void {
  const { theme } = document.documentElement.dataset;
  if (theme === undefined) return;
  for (const source of document.querySelectorAll<HTMLSourceElement>('source[data-theme]')) {
    const width = source.media.replace(/\s*and \(prefers-color-scheme: \w+\)/, '');
    source.media = source.dataset['theme'] === theme ? width : 'not all';
  }
}
