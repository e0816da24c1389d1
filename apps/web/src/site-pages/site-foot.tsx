import { PUBLIC_PAGE_MESSAGES as TEXT } from '@linkoteca/domain/messages/public-page-messages';
import type { SitePageName } from '@linkoteca/domain/sharing';
import { Logo } from '../shared/ui/logo.tsx';

const LINKS = [
  { page: 'terms', href: '/terms', text: TEXT.terms },
  { page: 'privacy-policy', href: '/privacy-policy', text: TEXT.privacy },
] as const;

/** The foot of every page: the legal pages, except the one that is open. */
export function SiteFoot({ current }: { readonly current: SitePageName }) {
  return (
    <footer data-print="hide" className="border-t border-line bg-paper">
      <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-x-8 gap-y-4 px-6 py-8 md:px-8">
        <p className="flex items-center gap-4 text-sm text-ink-faint">
          <Logo markOnly />
          Linkoteca, a biblioteca dos seus links.
        </p>
        <nav aria-label="Rodapé" className="flex flex-wrap gap-x-6 text-sm text-ink-soft">
          {LINKS.filter(({ page }) => page !== current).map(({ href, text }) => (
            <a
              key={href}
              href={href}
              className="inline-flex items-center rounded-sm py-2 hover:text-ink hover:underline pointer-coarse:py-3.5"
            >
              {text}
            </a>
          ))}
        </nav>
      </div>
    </footer>
  );
}
