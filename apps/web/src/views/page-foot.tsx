import { PUBLIC_PAGE_MESSAGES as TEXT } from '@linkoteca/domain/messages/public-page-messages';
import type { ReactNode } from 'react';
import { joinClassNames } from '../shared/lib/browser/join-class-names.ts';
import { buttonClassName } from '../shared/ui/button-class-name.ts';
import type { SiteLink } from './site-link.ts';

interface InvitationProps {
  readonly link: SiteLink;
  /** The page to return to in the end. */
  readonly from: string;
  /** How its words and its button stand. */
  readonly className: string;
}

/** The call to sign up, for visitors who are nobody's yet. */
export function Invitation({ link: Link, from, className }: InvitationProps) {
  return (
    <section
      data-for="visitor"
      aria-labelledby="invitation"
      className={joinClassNames('flex gap-4 rounded-lg border border-line p-5', className)}
    >
      <div>
        <h2 id="invitation" className="text-lg font-semibold text-ink">
          {TEXT.callTitle}
        </h2>
        <p className="mt-1 text-base text-ink-soft">{TEXT.callText}</p>
      </div>
      <Link to="/signup" from={from} className={buttonClassName('secondary', 'large')}>
        {TEXT.callAction}
      </Link>
    </section>
  );
}

export const FOOT_LINK =
  'inline-flex min-h-8 items-center rounded-sm hover:text-ink hover:underline pointer-coarse:min-h-11';

interface FootLinksProps {
  readonly link: SiteLink;
  readonly className: string;
  /** What the page has besides the legal texts; drawn as `FOOT_LINK`. */
  readonly children?: ReactNode;
}

/** The last line of a shared category: the legal pages. */
export function FootLinks({ link: Link, className, children }: FootLinksProps) {
  return (
    <nav
      aria-label="Rodapé"
      className={joinClassNames('flex flex-wrap gap-x-5 gap-y-2 text-sm text-ink-faint', className)}
    >
      {children}
      <Link to="/terms" className={FOOT_LINK}>
        {TEXT.terms}
      </Link>
      <Link to="/privacy-policy" className={FOOT_LINK}>
        {TEXT.privacy}
      </Link>
    </nav>
  );
}
