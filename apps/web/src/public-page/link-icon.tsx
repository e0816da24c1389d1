import { blankFavicon, faviconSources } from '../shared/lib/favicon-sources.ts';

/** The site's icon, 16 px; the page's script asks the next service when one fails. */
export function LinkIcon({ url }: { readonly url: string }) {
  return (
    <img
      src={faviconSources(url)[0] ?? blankFavicon}
      alt=""
      width={16}
      height={16}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      data-icon-of={url}
      className="size-4 shrink-0 rounded-[3px]"
    />
  );
}
