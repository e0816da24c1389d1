import { formatDate } from '@linkoteca/domain/format-date';
import { readHost } from '@linkoteca/domain/normalize-url';
import { memo } from 'react';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';
import { Favicon } from '../../../shared/ui/favicon.tsx';
import type { LinkItemProps } from './link-item-props.ts';
import { LinkMenuButton } from './link-menu-button.tsx';
import { LinkSurface } from './link-surface.tsx';
import { SelectionTick } from './selection-tick.tsx';

/** A link as a row of 44 px: title and host, description, date. */
export const LinkRow = memo(function LinkRow({
  link,
  selecting,
  selected,
  tabStop,
  menuOpen,
}: LinkItemProps) {
  return (
    <article
      className={joinClassNames(
        // Only the hand over one row fades its colours; picking thousands must be one single paint.
        'group/link relative flex h-full items-center gap-3 border-b border-line px-3 hover:transition-colors',
        selected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <SelectionTick selected={selected} className="shrink-0" />
      <span className="shrink-0 group-data-selecting/links:hidden">
        <Favicon url={link.url} />
      </span>
      <div className="min-w-0 flex-1 md:flex-none md:basis-2/5">
        <LinkSurface link={link} selecting={selecting} selected={selected} tabStop={tabStop} />
        <p className="truncate text-xs text-ink-faint">{readHost(link.url)}</p>
      </div>
      <RowFacts link={link} />
      <LinkMenuButton link={link} menuOpen={menuOpen} className="relative" />
    </article>
  );
});

const RowFacts = memo(function RowFacts({ link }: Pick<LinkItemProps, 'link'>) {
  return (
    <>
      <p className="min-w-0 flex-1 truncate text-sm text-ink-soft max-md:hidden">{link.description}</p>
      <time dateTime={link.created_at} className="shrink-0 text-xs text-ink-faint tabular-nums max-sm:hidden">
        {formatDate(link.created_at)}
      </time>
    </>
  );
});
