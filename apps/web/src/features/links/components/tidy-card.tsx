import { formatDate } from '@linkoteca/domain/dates';
import { CAPTURE_MESSAGES } from '@linkoteca/domain/messages/capture-messages';
import { readHost } from '@linkoteca/domain/urls';
import { FolderInput, Pencil, SkipForward, Trash2 } from 'lucide-react';
import type { Link } from '../../../shared/lib/rows.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { FolderSpine } from '../../../shared/ui/folder-spine.tsx';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { LinkFace } from '../../../shared/ui/link-face.tsx';
import type { CategoryPlace } from '../model/category-groups.ts';

const TEXT = CAPTURE_MESSAGES.tidy;

interface TidyCardProps {
  readonly link: Link;
  /** Where it may go, best first; null until that is known. */
  readonly suggestions: readonly CategoryPlace[] | null;
  readonly onPick: (categoryId: string) => void;
  readonly onPickOther: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  /** Null where no other link follows. */
  readonly onSkip: (() => void) | null;
}

/** One link of the inbox, and what to do with it. */
export function TidyCard(props: TidyCardProps) {
  const { link, suggestions, onPick, onPickOther, onEdit, onRemove, onSkip } = props;
  return (
    <article className="max-w-prose rounded-lg border border-line bg-surface">
      {/* What comes next is read aloud, and the keyboard stays where it is. */}
      <div
        aria-live="polite"
        className="relative flex items-start gap-3 rounded-lg p-4 hover:bg-hover md:p-5"
      >
        <span className="mt-0.5">
          <LinkFace url={link.url} size="card" />
        </span>
        <div className="min-w-0 flex-1">
          <h2 dir="auto" className="text-lg leading-snug font-semibold wrap-anywhere">
            <a
              href={link.url}
              target="_blank"
              rel="noopener noreferrer"
              className="outline-none after:absolute after:inset-0 after:rounded-lg after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent"
            >
              {link.title}
            </a>
          </h2>
          <p className="mt-1 truncate text-sm text-ink-soft">
            {readHost(link.url)} · <time dateTime={link.created_at}>{formatDate(link.created_at)}</time>
          </p>
          {link.description ? (
            <p dir="auto" className="mt-2 line-clamp-3 text-base text-ink-soft">
              {link.description}
            </p>
          ) : null}
        </div>
      </div>
      <div className="border-t border-line p-2 md:p-3">
        <h3 className="px-2 pt-1 pb-1.5 text-sm font-medium text-ink-soft">{TEXT.suggestions}</h3>
        {suggestions?.length === 0 ? <p className="px-2 pb-2 text-base text-ink-soft">{TEXT.none}</p> : null}
        <ol aria-label={TEXT.suggestions}>
          {suggestions === null ? <SuggestionsSkeleton /> : null}
          {suggestions?.map((place, at) => (
            // By place: the keyboard stays on the second suggestion, whatever it is for the next link.
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={at}>
              <button
                type="button"
                aria-keyshortcuts={String(at + 1)}
                onClick={() => onPick(place.id)}
                className="flex h-10 w-full items-center gap-2.5 rounded px-2 text-left text-base hover:bg-hover focus-visible:-outline-offset-2 active:bg-press pointer-coarse:h-12"
              >
                <FolderSpine folderId={place.folderId} />
                <span className="min-w-0 flex-1 truncate">
                  <span className="font-medium">{place.name}</span>{' '}
                  <span className="text-sm text-ink-soft">{place.folderName}</span>
                </span>
                <Kbd>{at + 1}</Kbd>
              </button>
            </li>
          ))}
        </ol>
      </div>
      <div className="flex flex-wrap gap-2 border-t border-line p-3 md:px-5">
        <Button icon={<FolderInput aria-hidden />} aria-keyshortcuts="M" onClick={onPickOther}>
          {TEXT.other}
        </Button>
        <Button variant="quiet" icon={<Pencil aria-hidden />} aria-keyshortcuts="E" onClick={onEdit}>
          {TEXT.edit}
        </Button>
        <Button variant="quiet" icon={<Trash2 aria-hidden />} aria-keyshortcuts="D" onClick={onRemove}>
          {TEXT.remove}
        </Button>
        {onSkip ? (
          <Button
            variant="quiet"
            className="ml-auto"
            icon={<SkipForward aria-hidden />}
            aria-keyshortcuts="P"
            onClick={onSkip}
          >
            {TEXT.skip}
          </Button>
        ) : null}
      </div>
    </article>
  );
}

/** The shape of the places that come. */
function SuggestionsSkeleton() {
  return [1, 2, 3].map((place) => (
    <li key={place} className="flex h-10 items-center px-2 pointer-coarse:h-12">
      <Skeleton className="h-4 w-48" />
    </li>
  ));
}
