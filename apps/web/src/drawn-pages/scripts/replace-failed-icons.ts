import { blankFavicon, coverLetter, faviconSources } from '../../shared/lib/favicon-sources.ts';

/**
 * Shows each icon that arrives over its letter, and asks the next icon service where one failed, at last for a blank image: also where
 * that happened before this ran.
 */
export function replaceFailedIcons(document: Document): void {
  // Events of images do not bubble; on their way down they pass here.
  document.addEventListener('error', ({ target }) => showNext(target), true);
  document.addEventListener('load', ({ target }) => show(target), true);
  for (const icon of document.querySelectorAll<HTMLImageElement>('[data-icon-of]')) {
    if (!icon.complete) continue;
    if (icon.naturalWidth === 0) showNext(icon);
    else show(icon);
  }
}

function isLinkIcon(element: unknown): element is HTMLImageElement & { dataset: { iconOf: string } } {
  return element instanceof HTMLImageElement && element.dataset['iconOf'] !== undefined;
}

function show(icon: unknown): void {
  if (isLinkIcon(icon)) coverLetter(icon);
}

function showNext(icon: unknown): void {
  if (!isLinkIcon(icon)) return;
  const sources = faviconSources(icon.dataset.iconOf);
  const failed = sources.indexOf(icon.src);
  // Unknown is the blank image, or no service's: nothing comes after it.
  icon.src = (failed === -1 ? undefined : sources[failed + 1]) ?? blankFavicon;
}
