import type { SharedLink } from '@linkoteca/domain/sharing';
import { blankFavicon, faviconSources } from '../../shared/lib/favicon-sources.ts';
import { LinkFaceTile } from '../../shared/ui/link-face.tsx';
import { LinkCardContent, LinkRowContent, LinkTitle } from '../../views/link-content.tsx';
import { TagNames } from '../../views/tag-names.tsx';

/** The server does not know the visitor's zone: dates are Brasília's. */
export const ZONE = 'America/Sao_Paulo';

interface LinkItemProps {
  readonly link: SharedLink;
}

export function LinkRow({ link }: LinkItemProps) {
  return (
    <li className="relative flex min-h-11 items-center gap-3 border-b border-line px-3 py-1 transition-colors last:border-b-0 hover:bg-hover">
      <Face url={link.url} size="row" />
      <LinkRowContent
        link={link}
        title={<PublicTitle link={link} />}
        timeZone={ZONE}
        tags={<TagNames names={link.tags} className="max-w-1/3 overflow-hidden max-md:hidden" />}
      />
    </li>
  );
}

export function LinkCard({ link }: LinkItemProps) {
  return (
    <li className="relative flex min-w-0 flex-col rounded-lg border border-line bg-surface p-2.5 transition-colors hover:border-edge-soft">
      <LinkCardContent
        link={link}
        face={<Face url={link.url} size="card" />}
        title={<PublicTitle link={link} />}
        timeZone={ZONE}
      />
      <TagNames names={link.tags} className="mt-2 flex-wrap" />
    </li>
  );
}

/** The page's script asks the next service when one fails. */
function Face({ url, size }: { readonly url: string; readonly size: 'card' | 'row' }) {
  return (
    <LinkFaceTile url={url} size={size} src={faviconSources(url)[0] ?? blankFavicon} data-icon-of={url} />
  );
}

const IS_WEB = /^https?:\/\//i;

/**
 * The database keeps http(s) addresses only; the page does not depend on it. Search engines are told that strangers wrote
 * it.
 */
function PublicTitle({ link: { url, title } }: LinkItemProps) {
  return (
    <LinkTitle
      {...(IS_WEB.test(url) ? { href: url } : {})}
      title={title}
      dir="auto"
      rel="noopener nofollow ugc"
    />
  );
}
