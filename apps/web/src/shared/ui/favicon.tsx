import { useState } from 'react';
import { blankFavicon, faviconSources } from '../lib/favicon-sources.ts';

interface FaviconProps {
  readonly url: string;
}

/** The site's icon, 16 px, from public icon services: the next one answers when one fails, at last a blank image. */
export function Favicon({ url }: FaviconProps) {
  const [attempt, setAttempt] = useState({ url, index: 0 });
  // A row that is reused for another link starts again at the first service.
  const index = attempt.url === url ? attempt.index : 0;
  return (
    <img
      src={faviconSources(url)[index] ?? blankFavicon}
      alt=""
      width={16}
      height={16}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      className="size-4 shrink-0 rounded-[3px]"
      onError={() => setAttempt({ url, index: index + 1 })}
    />
  );
}
