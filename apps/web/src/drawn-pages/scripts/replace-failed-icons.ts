import { blankFavicon, faviconSources } from '../../shared/lib/favicon-sources.ts';

/** Asks the next icon service where one failed, at last for a blank image: also where it failed before this ran. */
export function replaceFailedIcons(document: Document): void {
  // Errors of images do not bubble; on their way down they pass here.
  document.addEventListener('error', ({ target }) => showNext(target), true);
  for (const icon of document.querySelectorAll<HTMLImageElement>('[data-icon-of]'))
    if (icon.complete && icon.naturalWidth === 0) showNext(icon);
}

function showNext(icon: unknown): void {
  if (!(icon instanceof HTMLImageElement) || icon.dataset['iconOf'] === undefined) return;
  const sources = faviconSources(icon.dataset['iconOf']);
  const failed = sources.indexOf(icon.src);
  // Unknown is the blank image, or no service's: nothing comes after it.
  icon.src = (failed === -1 ? undefined : sources[failed + 1]) ?? blankFavicon;
}
