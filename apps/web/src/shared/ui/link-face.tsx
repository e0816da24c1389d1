import { pickHue } from '@linkoteca/domain/pick-hue';
import { readHost } from '@linkoteca/domain/urls';
import { type ComponentProps, memo, useState } from 'react';
import { joinClassNames } from '../lib/browser/join-class-names.ts';
import { blankFavicon, coverLetter, faviconSources } from '../lib/favicon-sources.ts';

/** 'card' is 28 px, 'row' 24; the icon in it always 16. */
type FaceSize = 'card' | 'row';

interface LinkFaceProps {
  readonly url: string;
  readonly size?: FaceSize;
}

/** Which fallback knew a site, by its first source: a row that comes back need not try the others again. */
const knownFallbacks = new Map<string, number>();

/**
 * What a link is known by at a glance: its host's letter on a hue of the host's, in the first frame, covered by the site's icon once
 * that is there. Public icon services are asked one after the other when one fails; at last there is a blank image, and the letter stays.
 */
export const LinkFace = memo(function LinkFace({ url, size = 'row' }: LinkFaceProps) {
  const [attempt, setAttempt] = useState<{ readonly url: string; readonly index: number } | null>(null);
  const sources = faviconSources(url);
  const [first = ''] = sources;
  // A row that is reused for another link starts anew.
  const index = attempt?.url === url ? attempt.index : (knownFallbacks.get(first) ?? 0);
  const src = sources[index] ?? blankFavicon;
  return (
    <LinkFaceTile
      url={url}
      size={size}
      // What has covered one letter says nothing of the next.
      key={src}
      src={src}
      onLoad={({ currentTarget }) => {
        coverLetter(currentTarget);
        // Failures are not kept: they may be the network's.
        if (index > 0 && index < sources.length) knownFallbacks.set(first, index);
      }}
      onError={() => setAttempt({ url, index: index + 1 })}
    />
  );
});

interface LinkFaceTileProps extends Pick<ComponentProps<'img'>, 'onLoad' | 'onError'> {
  readonly url: string;
  readonly size: FaceSize;
  readonly src: string;
  /** Whose icon it is, for the script of a drawn page. */
  readonly 'data-icon-of'?: string;
}

/** The letter and the icon over it, as every page shows them; `coverLetter` lets the icon be seen. */
export function LinkFaceTile({ url, size, ...image }: LinkFaceTileProps) {
  const host = readHost(url);
  return (
    <span
      aria-hidden="true"
      data-hue={pickHue(host)}
      data-letter={host.charAt(0).toUpperCase()}
      className={joinClassNames(
        'link-face relative block shrink-0 overflow-hidden rounded-sm',
        size === 'card' ? 'size-7' : 'size-6',
      )}
    >
      <img
        {...image}
        alt=""
        width={16}
        height={16}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        className={joinClassNames(
          'absolute inset-0 size-full bg-sunken opacity-0 data-shown:opacity-100',
          size === 'card' ? 'p-1.5' : 'p-1',
        )}
      />
    </span>
  );
}
