import { formatCount } from '@linkoteca/domain/formats';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';

interface CategoryHeaderProps {
  readonly folderName: string;
  readonly name: string;
  readonly description: string | null;
  /** null where it is not known. */
  readonly linkCount: number | null;
  /** Whose it is, when it is someone else's. */
  readonly note: string | null;
  /** Who else looks at it. On the first line, which is there anyway: nothing moves when somebody comes. */
  readonly people?: ReactNode;
  /** Whether it is a favourite, right after the name. */
  readonly star?: ReactNode;
  /** How it is shared, beside the name. */
  readonly badge?: ReactNode;
  /** Its public address. */
  readonly link?: ReactNode;
  /** What a guest can do with it. */
  readonly action?: ReactNode;
}

/** Where one is, the category's name and what it is about. */
export function CategoryHeader(props: CategoryHeaderProps) {
  const { folderName, name, description, linkCount, note, people, star, badge, link, action } = props;
  return (
    <div className="min-w-0 flex-1 basis-72">
      <div className="flex gap-4">
        <nav aria-label="Localização" className="flex min-w-0 items-center gap-1 text-sm text-ink-faint">
          <span className="truncate">{folderName}</span>
          <ChevronRight aria-hidden className="size-3.5 shrink-0" />
          <span aria-current="page" className="truncate text-ink-soft">
            {name}
          </span>
        </nav>
        {people}
      </div>
      {/* On phones the badge goes below a long name, instead of taking its place. */}
      <div
        className={joinClassNames('mt-1 flex items-baseline gap-2.5', Boolean(badge) && 'max-md:flex-wrap')}
      >
        <h1 className="max-w-full truncate text-xl font-semibold tracking-tight" title={name}>
          {name}
        </h1>
        {star}
        {linkCount === null ? null : (
          <span className="shrink-0 text-sm text-ink-faint tabular-nums">
            {formatCount(linkCount, 'link', 'links')}
          </span>
        )}
        {badge}
      </div>
      {link}
      {note ? <p className="mt-0.5 text-sm text-ink-soft">{note}</p> : null}
      {description ? (
        <p className="mt-1 max-w-prose text-base break-words text-ink-soft">{description}</p>
      ) : null}
      {action ? <div className="mt-3 flex flex-wrap gap-2">{action}</div> : null}
    </div>
  );
}
