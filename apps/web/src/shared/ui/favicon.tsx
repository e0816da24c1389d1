import { type ComponentProps, memo, useState } from 'react';
import { blankFavicon, faviconSources } from '../lib/favicon-sources.ts';

interface FaviconProps {
  readonly url: string;
}

/** Which fallback knew a site, by its first source: a row that comes back need not try the others again. */
const knownFallbacks = new Map<string, number>();

/** The site's icon, 16 px, from public icon services: the next one answers when one fails, at last a blank image. */
export const Favicon = memo(function Favicon({ url }: FaviconProps) {
  const [attempt, setAttempt] = useState<{ readonly url: string; readonly index: number } | null>(null);
  const sources = faviconSources(url);
  const [first = ''] = sources;
  // A row that is reused for another link starts anew.
  const index = attempt?.url === url ? attempt.index : (knownFallbacks.get(first) ?? 0);
  return (
    <FaviconImage
      src={sources[index] ?? blankFavicon}
      onLoad={() => {
        // Failures are not kept: they may be the network's.
        if (index > 0 && index < sources.length) knownFallbacks.set(first, index);
      }}
      onError={() => setAttempt({ url, index: index + 1 })}
    />
  );
});

interface FaviconImageProps extends Pick<ComponentProps<'img'>, 'onLoad' | 'onError'> {
  readonly src: string;
  /** Whose icon it is, for the script of a drawn page. */
  readonly 'data-icon-of'?: string;
}

/** The image alone, as every page shows it. */
export function FaviconImage(image: FaviconImageProps) {
  return (
    <img
      {...image}
      alt=""
      width={16}
      height={16}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      className="size-4 shrink-0 rounded-[3px]"
    />
  );
}
