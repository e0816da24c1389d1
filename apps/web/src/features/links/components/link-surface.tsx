import type { LinkItemProps } from './link-item-props.ts';

type LinkSurfaceProps = Pick<LinkItemProps, 'link' | 'selecting' | 'selected' | 'tabStop'>;

/**
 * A link's title, whose press area is stretched over the whole item: one real link, which opens in a new tab. In selection
 * mode the same element is a box to tick, so that neither focus nor the screen jumps when the mode changes.
 */
export function LinkSurface({ link, selecting, selected, tabStop }: LinkSurfaceProps) {
  return (
    <a
      href={link.url}
      target="_blank"
      rel="noopener noreferrer"
      title={link.title}
      tabIndex={tabStop ? 0 : -1}
      {...(selecting ? { role: 'checkbox', 'aria-checked': selected } : {})}
      className="block truncate text-base font-medium text-ink outline-none after:absolute after:inset-0 after:rounded-lg after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent"
    >
      {link.title}
    </a>
  );
}
