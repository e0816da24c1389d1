import type { Link } from '@linkoteca/domain/entities';
import type { LinkItemProps } from './link-item-props.ts';

type LinkSurfaceProps = Pick<LinkItemProps, 'selecting' | 'selected' | 'onToggle'> & { readonly link: Link };

const titleClassName = 'block truncate text-base font-medium text-ink outline-none';
// The title's press area is stretched over the whole item, so that one real link stays one real link.
const stretched =
  'after:absolute after:inset-0 after:rounded-[inherit] focus-visible:after:outline-2 focus-visible:after:outline-accent';

/** A link's title, whose press area is the whole item: opens the link in a new tab, or picks it in selection mode. */
export function LinkSurface({ link, selecting, selected, onToggle }: LinkSurfaceProps) {
  if (!selecting) {
    return (
      <a
        href={link.url}
        target="_blank"
        rel="noopener noreferrer"
        title={link.title}
        className={`${titleClassName} ${stretched}`}
      >
        {link.title}
      </a>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a native box cannot be as large as the item nor tell a range by shift
    <button
      type="button"
      role="checkbox"
      aria-checked={selected}
      title={link.title}
      className={`${titleClassName} w-full text-left ${stretched}`}
      onClick={(event) => onToggle(link.id, event.shiftKey)}
    >
      {link.title}
    </button>
  );
}
