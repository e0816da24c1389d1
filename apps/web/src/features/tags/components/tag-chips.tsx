import { describeMoreTags, describeTagSearch, TAG_MESSAGES } from '@linkoteca/domain/messages/tag-messages';
import { chipClassName } from '../../../views/tag-names.tsx';
import { type ShownTag, TagLabel } from './tag-chip.tsx';

interface TagChipsProps {
  readonly tags: readonly ShownTag[];
  /** Searches for a tag; absent where they are somebody else's. */
  readonly onPress?: (name: string) => void;
}

/** Tags that are named; of the others their number. */
const NAMED = 3;

/**
 * The tags of a link, in one line at the foot of its card or before the date of its row. Over the link's own surface, and no stop of
 * Tab: fifty cards would be two hundred; the keyboard has the link's menu.
 */
export function TagChips({ tags, onPress }: TagChipsProps) {
  if (tags.length === 0) return null;
  const more = tags.slice(NAMED).map(({ name }) => name);
  return (
    <ul aria-label={TAG_MESSAGES.fieldName} className="mt-2 flex min-w-0 items-center gap-1 overflow-x-clip">
      {tags.slice(0, NAMED).map((tag) => (
        <li key={tag.name} className="relative z-1 flex min-w-0">
          {onPress ? (
            <button
              type="button"
              tabIndex={-1}
              title={describeTagSearch(tag.name)}
              className={`${chipClassName} hit-area min-w-8 justify-center transition-colors hover:bg-press hover:text-ink pointer-coarse:min-w-11`}
              onClick={(event) => {
                // In selection mode the press is for the link.
                if (event.currentTarget.closest('[data-selecting]')) return;
                event.stopPropagation();
                onPress(tag.name);
              }}
            >
              <TagLabel {...tag} />
            </button>
          ) : (
            <span className={chipClassName}>
              <TagLabel {...tag} />
            </span>
          )}
        </li>
      ))}
      {more.length > 0 ? (
        <li className="shrink-0 text-xs text-ink-faint" title={describeMoreTags(more)}>
          <span aria-hidden>{`+${more.length}`}</span>
          <span className="sr-only">{describeMoreTags(more)}</span>
        </li>
      ) : null}
    </ul>
  );
}
