import { SITE_PAGE_MARKS, SITE_PAGES, type SitePageName } from '@linkoteca/domain/sharing';
import type { ReactNode } from 'react';
import { DocumentHead } from '../public-page/document-head.tsx';
import type { SiteAssets } from './site-assets.ts';

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
    <html lang="pt-BR" data-page={name}>
      <DocumentHead title={title} assets={assets}>
        <meta name="description" content={description} />
        <link rel="canonical" href={address} />
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content="Linkoteca" />
        <meta property="og:locale" content="pt_BR" />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <meta property="og:url" content={address} />
        <meta property="og:image" content={`${SITE_PAGE_MARKS.origin}${assets.pictures.social}`} />
        <meta property="og:image:type" content="image/png" />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta property="og:image:alt" content={PICTURE_ALT} />
        <meta name="twitter:card" content="summary_large_image" />
        {head}
      </DocumentHead>
      <body>
        <a
          href="#content"
          className="sr-only z-20 rounded bg-surface px-4 py-2 text-base font-medium text-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          Pular para o conteúdo
        </a>
        {children}
        <script>{assets.lateScript}</script>
      </body>
    </html>
  );
}
