import { formatDate } from '@linkoteca/domain/format-date';
import { readHost } from '@linkoteca/domain/normalize-url';
import type { SharedLink } from '@linkoteca/domain/shared-page';
import { LinkIcon } from './link-icon.tsx';
import { LinkTitle } from './link-title.tsx';
import { ZONE } from './zone.ts';

/** A link as a card, as the app draws it. */
export function LinkCard({ link }: { readonly link: SharedLink }) {
  return (
    <li className="relative flex min-w-0 flex-col rounded-lg border border-line bg-surface p-3.5 transition-colors hover:border-edge-soft">
      <div className="flex min-w-0 items-center gap-2.5">
        <span className="grid size-7 shrink-0 place-items-center rounded-sm bg-sunken">
          <LinkIcon url={link.url} />
        </span>
        <div className="min-w-0 flex-1">
          <LinkTitle link={link} />
          <p className="truncate text-xs text-ink-faint">{readHost(link.url)}</p>
        </div>
      </div>
      <p dir="auto" className="mt-2.5 line-clamp-2 min-h-9 text-sm text-ink-soft">
        {link.description}
      </p>
      <time dateTime={link.created_at} className="mt-auto pt-2 text-xs text-ink-faint tabular-nums">
        {formatDate(link.created_at, ZONE)}
      </time>
    </li>
  );
}
