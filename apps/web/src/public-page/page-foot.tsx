import { PUBLIC_PAGE_MESSAGES as TEXT } from '@linkoteca/domain/public-page-messages';
import { sharedPath } from '@linkoteca/domain/shared-address';
import type { SharedCategory } from '@linkoteca/domain/shared-page';
import { buttonClassName } from '../shared/ui/button-class-name.ts';
import { appHref } from './page-href.ts';

/** The invitation to visitors, the feed, and the legal pages. */
export function PageFoot({ category }: { readonly category: SharedCategory }) {
  return (
    <footer data-print="hide" className="mx-auto w-full max-w-page px-4 pb-8 md:px-8">
      <section
        data-for="visitor"
        aria-labelledby="invitation"
        className="flex flex-col items-start gap-4 rounded-lg border border-line bg-sunken p-5 md:flex-row md:items-center md:justify-between md:p-6"
      >
        <div>
          <h2 id="invitation" className="text-lg font-semibold text-ink">
            {TEXT.callTitle}
          </h2>
          <p className="mt-1 text-base text-ink-soft">{TEXT.callText}</p>
        </div>
        <a
          href={`/signup?from=${encodeURIComponent(appHref(category))}`}
          className={buttonClassName('secondary', 'large')}
        >
          {TEXT.callAction}
        </a>
      </section>
      <nav aria-label="Rodapé" className="mt-6 flex flex-wrap gap-x-5 gap-y-2 text-sm text-ink-faint">
        <FootLink href={`${sharedPath(category)}/feed.xml`}>{TEXT.feed}</FootLink>
        <FootLink href="/terms">{TEXT.terms}</FootLink>
        <FootLink href="/privacy-policy">{TEXT.privacy}</FootLink>
      </nav>
    </footer>
  );
}

function FootLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a href={href} className="rounded-sm py-1 hover:text-ink hover:underline">
      {children}
    </a>
  );
}
