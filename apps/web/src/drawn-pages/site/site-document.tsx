import { PUBLIC_PAGE_MESSAGES as TEXT } from '@linkoteca/domain/messages/public-page-messages';
import { SITE_PAGE_MARKS, SITE_PAGES, type SitePageName } from '@linkoteca/domain/sharing';
import type { ReactNode } from 'react';
import { Logo } from '../../shared/ui/logo.tsx';
import { type DocumentAssets, DrawnDocument, PagePreview } from '../drawn-document.tsx';

interface SiteDocumentProps {
  readonly name: SitePageName;
  readonly title: string;
  readonly description: string;
  readonly assets: SiteAssets;
  /** Further elements of the head. */
  readonly head?: ReactNode;
  readonly children: ReactNode;
}

const PICTURE_ALT = 'Linkoteca: seus links merecem uma estante, não uma gaveta.';

/** What every page of the site has around its content: what search engines and chats are told, style, and the first script. */
export function SiteDocument({ name, title, description, assets, head, children }: SiteDocumentProps) {
  const path = SITE_PAGES.find((page) => page.name === name)?.path ?? '/';
  const address = `${SITE_PAGE_MARKS.origin}${path}`;
  return (
    <DrawnDocument
      title={title}
      assets={assets}
      data={{ 'data-page': name }}
      head={
        <>
          <meta name="description" content={description} />
          <link rel="canonical" href={address} />
          <PagePreview
            title={title}
            description={description}
            address={address}
            picture={`${SITE_PAGE_MARKS.origin}${assets.pictures.social}`}
            pictureAlt={PICTURE_ALT}
          />
          {head}
        </>
      }
    >
      <a
        href="#content"
        className="sr-only z-20 rounded bg-surface px-4 py-2 text-base font-medium text-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Pular para o conteúdo
      </a>
      {children}
      <script>{assets.lateScript}</script>
    </DrawnDocument>
  );
}

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

/** What the build makes of the site's style, scripts and pictures. Its first script also sends on who belongs elsewhere. */
export interface SiteAssets extends DocumentAssets {
  /** Right after a picture that differs by theme. */
  readonly pictureScript: string;
  /** At the end of every page: the menu of narrow screens, and what is laid out late. */
  readonly lateScript: string;
  /** Addresses of the pictures, from the root of the site. */
  readonly pictures: SitePictures;
}

interface SitePictures {
  readonly desk: ByTheme;
  readonly phone: ByTheme;
  /** What chats and networks show. */
  readonly social: string;
}

interface ByTheme {
  readonly light: string;
  readonly dark: string;
}
