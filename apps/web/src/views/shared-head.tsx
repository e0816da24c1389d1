import { formatDate } from '@linkoteca/domain/dates';
import { countLinks } from '@linkoteca/domain/messages/public-page-messages';
import { describeSharedBy } from '@linkoteca/domain/messages/sharing-messages';
import type { ReactNode } from 'react';
import { joinClassNames } from '../shared/lib/browser/join-class-names.ts';

interface SharedHeadProps {
  readonly name: string;
  readonly description: string | null;
  readonly owner: string | null;
  readonly linkCount: number;
  /** ISO 8601; null where it is not known. */
  readonly updatedAt: string | null;
  /** The viewer's own unless given. */
  readonly timeZone?: string;
  /** What else there is to know of it, after the date. */
  readonly badge?: ReactNode;
  /** What can be done with it; stands beside the name, on phones below it. */
  readonly actions: ReactNode;
  /** Class names of its parts: the app's column wraps, a drawn page has steps of its own for phones. */
  readonly look: Readonly<Partial<Record<'frame' | 'words' | 'name' | 'facts' | 'dot' | 'actions', string>>>;
}

/** Name, description and owner of a category that somebody shares. */
export function SharedHead({ name, description, owner, updatedAt, look, ...props }: SharedHeadProps) {
  const dot = (
    <span aria-hidden="true" className={look.dot}>
      ·
    </span>
  );
  return (
    <div className={joinClassNames('flex gap-y-4', look.frame)}>
      <div className={joinClassNames('min-w-0', look.words)}>
        <h1 dir="auto" className={joinClassNames('font-semibold tracking-tight text-ink', look.name)}>
          {name}
        </h1>
        {description ? (
          <p
            dir="auto"
            className="mt-2 max-w-prose text-lg leading-relaxed whitespace-pre-line text-ink-soft"
          >
            {description}
          </p>
        ) : null}
        <p className={joinClassNames('mt-3 flex flex-wrap text-sm text-ink-faint', look.facts)}>
          <bdi>{describeSharedBy(owner)}</bdi>
          {dot}
          <span className="tabular-nums">{countLinks(props.linkCount)}</span>
          {updatedAt === null ? null : (
            <>
              {dot}
              <time dateTime={updatedAt} className="tabular-nums">
                {`Atualizada em ${formatDate(updatedAt, props.timeZone)}`}
              </time>
            </>
          )}
          {props.badge}
        </p>
      </div>
      <div data-print="hide" className={joinClassNames('flex shrink-0 items-center gap-2', look.actions)}>
        {props.actions}
      </div>
    </div>
  );
}
