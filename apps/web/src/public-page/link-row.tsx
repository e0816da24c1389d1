import { formatDate } from '@linkoteca/domain/dates';
import type { SharedLink } from '@linkoteca/domain/sharing';
import { readHost } from '@linkoteca/domain/urls';
import { LinkIcon } from './link-icon.tsx';
import { LinkTitle } from './link-title.tsx';
import { ZONE } from './zone.ts';

/** A link as a row: title and host, description, date. */
export function LinkRow({ link }: { readonly link: SharedLink }) {
  return (
    <li className="relative flex min-h-11 items-center gap-3 border-b border-line px-3 py-1 transition-colors last:border-b-0 hover:bg-hover">
      <LinkIcon url={link.url} />
      <div className="min-w-0 flex-1 md:flex-none md:basis-2/5">
        <LinkTitle link={link} />
        <p className="truncate text-xs text-ink-faint">{readHost(link.url)}</p>
      </div>
      <p dir="auto" className="min-w-0 flex-1 truncate text-sm text-ink-soft max-md:hidden">
        {link.description}
      </p>
      <time dateTime={link.created_at} className="shrink-0 text-xs text-ink-faint tabular-nums max-sm:hidden">
        {formatDate(link.created_at, ZONE)}
      </time>
    </li>
  );
}
