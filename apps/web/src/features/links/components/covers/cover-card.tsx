import { COVER_LIMITS } from '@linkoteca/domain/cover-limits';
import { pickHue } from '@linkoteca/domain/pick-hue';
import { readHost } from '@linkoteca/domain/urls';
import { type CSSProperties, memo, use } from 'react';
import { joinClassNames } from '../../../../shared/lib/browser/join-class-names.ts';
import type { Link } from '../../../../shared/lib/rows.ts';
import { useCover } from '../../api/covers/use-cover.ts';
import { type LinkItemProps, LinkMenuButton, LinkSurface, SelectionTick } from '../link-items.tsx';
import { CoverAsker } from './cover-asker.tsx';
import { CoverSourceContext } from './cover-source.ts';

// One place uses them: they stay out of the style sheet that every screen fetches.
const SHAPE = { aspectRatio: `${COVER_LIMITS.width} / ${COVER_LIMITS.height}` };
const WHOLE = { objectFit: 'contain' } as const;
const LETTER = { '--letter': '2.75rem' } as CSSProperties;

/** A link as its cover, with its title and host below: as every card its whole surface opens it, or picks it in selection mode. */
export const CoverCard = memo(function CoverCard({ menuOpen, ...item }: LinkItemProps) {
  const { link, selected } = item;
  return (
    <article
      className={joinClassNames(
        'group/link relative flex h-full flex-col overflow-hidden rounded-lg border hover:transition-colors',
        selected ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:border-edge-soft',
      )}
    >
      <CoverPicture link={link} />
      <div className="min-w-0 flex-1 border-t border-line px-2.5 py-2">
        <div className="line-clamp-2 text-base leading-4.5">
          <LinkSurface {...item} />
        </div>
        <p className="truncate text-xs text-ink-faint">{readHost(link.url)}</p>
      </div>
      <SelectionTick selected={selected} className="absolute top-2 right-2" />
      <LinkMenuButton
        link={link}
        menuOpen={menuOpen}
        className="absolute! top-1.5 right-1.5 bg-surface shadow-float"
      />
    </article>
  );
});

// As the content of the other cards, it stays as it is when a link is picked or reached by Tab.
const CoverPicture = memo(function CoverPicture({ link }: { readonly link: Link }) {
  const { categoryId, ownerId } = use(CoverSourceContext);
  const { address, due, asking } = useCover({ categoryId, linkId: link.id, url: link.url });
  const host = readHost(link.url);
  return (
    <div className="relative shrink-0 overflow-hidden bg-sunken" style={SHAPE}>
      <span
        aria-hidden="true"
        data-hue={pickHue(host)}
        data-letter={host.charAt(0).toUpperCase()}
        className={joinClassNames('link-face absolute inset-0', asking && 'animate-breathe')}
        style={LETTER}
      />
      {address === undefined ? null : (
        <img
          src={address}
          alt=""
          width={COVER_LIMITS.width}
          height={COVER_LIMITS.height}
          loading="lazy"
          decoding="async"
          draggable={false}
          className="absolute inset-0 size-full bg-sunken"
          style={WHOLE}
        />
      )}
      {due && ownerId !== null ? <CoverAsker link={link} ownerId={ownerId} /> : null}
    </div>
  );
});
