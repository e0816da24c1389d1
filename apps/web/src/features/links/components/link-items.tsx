import { FAVORITE_MESSAGES } from '@linkoteca/domain/messages/favorite-messages';
import { memo, type ReactNode } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { LinkFace } from '../../../shared/ui/link-face.tsx';
import { Star } from '../../../shared/ui/star.tsx';
import { LinkCardContent, LinkRowContent, LinkTitle } from '../../../views/link-content.tsx';

/** What a card or a row needs. It has no callbacks: the list listens for all of its items at once. */
export interface LinkItemProps {
  readonly link: Link;
  readonly selecting: boolean;
  readonly selected: boolean;
  readonly starred: boolean;
  /** The one item that Tab reaches. */
  readonly tabStop: boolean;
  readonly menuOpen: boolean;
  readonly renderTags: ((link: Link) => ReactNode) | undefined;
}

/** A link as a card: its whole surface opens it, or picks it in selection mode. */
export const LinkCard = memo(function LinkCard({ menuOpen, renderTags, ...item }: LinkItemProps) {
  const { link, selected } = item;
  return (
    <article
      className={joinClassNames(
        // Only the hand over one card fades its colours; picking thousands must be one single paint.
        'group/link relative flex h-full flex-col rounded-lg border p-2.5 hover:transition-colors',
        selected ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:border-edge-soft',
      )}
    >
      <LinkCardContent
        link={link}
        face={<LinkFace url={link.url} size="card" />}
        title={<LinkSurface {...item} />}
        headClassName="pr-7 pointer-coarse:pr-11"
      />
      {renderTags?.(link)}
      <SelectionTick selected={selected} className="absolute top-3 right-3" />
      <LinkMenuButton
        link={link}
        menuOpen={menuOpen}
        className="absolute top-2 right-1.5 pointer-coarse:top-0 pointer-coarse:right-0"
      />
    </article>
  );
});

/** A link as a row of 44 px. */
export const LinkRow = memo(function LinkRow({ menuOpen, renderTags, ...item }: LinkItemProps) {
  const { link, selected } = item;
  return (
    <article
      className={joinClassNames(
        // As for cards: only the hand over one row fades its colours.
        'group/link relative flex h-full items-center gap-3 border-b border-line px-3 hover:transition-colors',
        selected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <SelectionTick selected={selected} className="shrink-0" />
      <span className="shrink-0 group-data-selecting/links:hidden">
        <LinkFace url={link.url} />
      </span>
      <LinkRowContent link={link} title={<LinkSurface {...item} />} tags={renderTags?.(link)} />
      <LinkMenuButton link={link} menuOpen={menuOpen} className="relative" />
    </article>
  );
});

// As the dots below, one element for all rows.
const starMark = (
  <span role="img" aria-label={FAVORITE_MESSAGES.mark} title={FAVORITE_MESSAGES.mark} className="mr-1">
    <Star filled className="inline size-3 align-[-0.0625em] text-accent-text" />
  </span>
);

/** Stands before the title of a favourite. */
export function StarMark() {
  return starMark;
}

/**
 * In selection mode the link is a box to tick, and the same element: neither focus nor the screen jumps when the mode
 * changes.
 */
export function LinkSurface(item: Omit<LinkItemProps, 'menuOpen' | 'renderTags'>) {
  const { link, selecting, selected, starred, tabStop } = item;
  return (
    <>
      {starred ? starMark : null}
      <LinkTitle
        href={link.url}
        title={link.title}
        rel="noopener noreferrer"
        tabIndex={tabStop ? 0 : -1}
        {...(selecting ? { role: 'checkbox', 'aria-checked': selected } : {})}
      />
    </>
  );
}

interface SelectionTickProps {
  readonly selected: boolean;
  readonly className?: string;
}

/**
 * The box that shows whether a link is picked; decorative, the title carries the state. It is one element that is always
 * there and drawn by the style sheet: in the frame of 'Selecionar todos' only attributes change.
 */
export function SelectionTick({ selected, className }: SelectionTickProps) {
  return (
    <span
      aria-hidden
      data-on={selected || undefined}
      className={joinClassNames(
        'hidden size-5 place-items-center rounded-sm border border-edge bg-surface group-data-selecting/links:grid data-on:border-accent data-on:bg-accent',
        'after:-mt-0.5 after:h-2.5 after:w-1.5 after:rotate-45 after:border-r-2 after:border-b-2 after:border-on-accent after:opacity-0 data-on:after:opacity-100',
        className,
      )}
    />
  );
}

type LinkMenuButtonProps = Pick<LinkItemProps, 'link' | 'menuOpen'> & {
  readonly className?: string;
};

// One element for all rows: an icon component would run once for each row that scrolls by.
const dots = (
  <svg aria-hidden="true" viewBox="0 0 24 24" fill="currentColor">
    <path d="M5 10.5a1.5 1.5 0 1 1 0 3a1.5 1.5 0 1 1 0-3zm7 0a1.5 1.5 0 1 1 0 3a1.5 1.5 0 1 1 0-3zm7 0a1.5 1.5 0 1 1 0 3a1.5 1.5 0 1 1 0-3z" />
  </svg>
);

/**
 * Opens the one menu of the list beside this link; the list hears the press. Tab does not stop here: on the link itself
 * the menu key and Shift+F10 open the same menu.
 */
export const LinkMenuButton = memo(function LinkMenuButton({
  link,
  menuOpen,
  className,
}: LinkMenuButtonProps) {
  return (
    <IconButton
      size="small"
      label={`Ações do link ${link.title}`}
      title="Ações"
      tabIndex={-1}
      aria-haspopup="menu"
      aria-expanded={menuOpen}
      data-link-menu
      className={joinClassNames(
        'z-1 group-data-selecting/links:hidden focus-visible:opacity-100 pointer-fine:opacity-0 group-hover/link:opacity-100 group-focus-within/link:opacity-100',
        menuOpen && 'pointer-fine:opacity-100',
        className,
      )}
    >
      {dots}
    </IconButton>
  );
});
