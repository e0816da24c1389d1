import type { SharedLink } from '@linkoteca/domain/sharing';

const IS_WEB = /^https?:\/\//i;

/**
 * A link's title, whose press area is stretched over the whole item. The database keeps http(s) addresses only; the page
 * does not depend on it. Search engines are told that strangers wrote it.
 */
export function LinkTitle({ link }: { readonly link: SharedLink }) {
  return (
    <a
      {...(IS_WEB.test(link.url) ? { href: link.url } : {})}
      target="_blank"
      rel="noopener nofollow ugc"
      title={link.title}
      dir="auto"
      className="block truncate text-base font-medium text-ink outline-none after:absolute after:inset-0 after:rounded-lg after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent"
    >
      {link.title}
    </a>
  );
}
