import { formatDate } from '@linkoteca/domain/dates';
import { readHost } from '@linkoteca/domain/urls';
import { memo } from 'react';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';
import { Favicon } from '../../../shared/ui/favicon.tsx';
import type { LinkItemProps } from './link-item-props.ts';
import { LinkMenuButton } from './link-menu-button.tsx';
import { LinkSurface } from './link-surface.tsx';
import { SelectionTick } from './selection-tick.tsx';

/** A link as a card: its whole surface opens it, or picks it in selection mode. */
export const LinkCard = memo(function LinkCard({
  link,
  selecting,
  selected,
  tabStop,
  menuOpen,
}: LinkItemProps) {
  return (
    <article
      className={joinClassNames(
        // Only the hand over one card fades its colours; picking thousands must be one single paint.
        'group/link relative flex h-full flex-col rounded-lg border p-3.5 hover:transition-colors',
        selected ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:border-edge-soft',
      )}
    >
      <div className="flex min-w-0 items-center gap-2.5 pr-7 pointer-coarse:pr-9">
        <span className="grid size-7 shrink-0 place-items-center rounded-sm bg-sunken">
          <Favicon url={link.url} />
        </span>
        <div className="min-w-0 flex-1">
          <LinkSurface link={link} selecting={selecting} selected={selected} tabStop={tabStop} />
          <Host link={link} />
        </div>
      </div>
      <CardFoot link={link} />
      <SelectionTick selected={selected} className="absolute top-4 right-3.5" />
      <LinkMenuButton link={link} menuOpen={menuOpen} className="absolute top-3.5 right-2" />
    </article>
  );
});

const Host = memo(function Host({ link }: Pick<LinkItemProps, 'link'>) {
  return <p className="truncate text-xs text-ink-faint">{readHost(link.url)}</p>;
});

const CardFoot = memo(function CardFoot({ link }: Pick<LinkItemProps, 'link'>) {
  return (
    <>
      <p className="mt-2.5 line-clamp-2 min-h-9 text-sm text-ink-soft">{link.description}</p>
      <time dateTime={link.created_at} className="mt-auto pt-2 text-xs text-ink-faint tabular-nums">
        {formatDate(link.created_at)}
      </time>
    </>
  );
});
