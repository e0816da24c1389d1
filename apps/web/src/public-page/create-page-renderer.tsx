import {
  describePublicTitle,
  PUBLIC_PAGE_MESSAGES as TEXT,
} from '@linkoteca/domain/messages/public-page-messages';
import {
  type SharedCategory,
  type SharedPage,
  type SharedPageRenderer,
  type SharedPageSite,
  type SharedView,
  sharedPath,
} from '@linkoteca/domain/sharing';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { buttonClassName } from '../shared/ui/button-class-name.ts';
import { Logo } from '../shared/ui/logo.tsx';
import { DocumentHead } from './document-head.tsx';
import { EmbedDocument } from './embed-document.tsx';
import type { PageAssets } from './page-assets.ts';
import { PageContent } from './page-content.tsx';
import { appHref } from './page-href.ts';
import { PageMetadata } from './page-metadata.tsx';

/** Draws complete pages of a category: their content needs no script. */
export function createPageRenderer(assets: PageAssets): SharedPageRenderer {
  return {
    renderPage: (page, view, site) =>
      draw(<PageDocument page={page} view={view} site={site} assets={assets} />),
    renderEmbed: (page, site) => draw(<EmbedDocument page={page} site={site} assets={assets} />),
    renderMissingEmbed: () => draw(<NoticeDocument kind="missing" assets={assets} />),
    renderUnavailable: () => draw(<NoticeDocument kind="unavailable" assets={assets} />),
    inlineScripts: [assets.headScript, assets.bodyScript],
    inlineStyles: [assets.css],
  };
}

function draw(document: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(document)}`;
}

interface PageDocumentProps {
  readonly page: SharedPage;
  readonly view: SharedView;
  readonly site: SharedPageSite;
  readonly assets: PageAssets;
}

/** The whole page of a public category. */
function PageDocument({ page, view, site, assets }: PageDocumentProps) {
  const { category } = page;
  return (
    <html lang="pt-BR" data-category={category.id} data-key={site.anonKey}>
      <DocumentHead title={describePublicTitle(category.name)} assets={assets}>
        <PageMetadata page={page} view={view} site={site} />
      </DocumentHead>
      <body>
        <div id="root" className="flex min-h-dvh flex-col bg-paper">
          <PageBar category={category} />
          {/* What the script exchanges when something has changed. */}
          <main id="content" className="mx-auto w-full max-w-page flex-1 px-4 py-6 md:px-8 md:py-10">
            <PageContent page={page} view={view} />
          </main>
          <PageFoot category={category} />
        </div>
        <script>{assets.bodyScript}</script>
      </body>
    </html>
  );
}

/** The app's bar of pages that need no session: the way in, or the way back. */
function PageBar({ category }: { readonly category: SharedCategory }) {
  const from = `from=${encodeURIComponent(appHref(category))}`;
  return (
    <header
      data-print="hide"
      className="flex h-(--topbar-height) shrink-0 items-center justify-between gap-3 border-b border-line bg-paper px-4 max-md:h-(--mobile-header-offset) md:px-8"
    >
      <a href="/" className="inline-flex rounded" aria-label="Linkoteca, página inicial">
        <Logo />
      </a>
      <nav aria-label="Conta" className="flex shrink-0 items-center gap-1.5">
        <a data-for="visitor" href={`/login?${from}`} className={buttonClassName('quiet')}>
          {TEXT.signIn}
        </a>
        <a data-for="visitor" href={`/signup?${from}`} className={buttonClassName('primary')}>
          {TEXT.signUp}
        </a>
        <a data-for="member" href="/dashboard" className={buttonClassName('secondary')}>
          {TEXT.openLibrary}
        </a>
      </nav>
    </header>
  );
}

interface NoticeDocumentProps {
  readonly kind: 'missing' | 'unavailable';
  readonly assets: PageAssets;
}

/** A page that says why there is none. */
function NoticeDocument({ kind, assets }: NoticeDocumentProps) {
  const title = TEXT[kind];
  return (
    <html lang="pt-BR">
      <DocumentHead title={describePublicTitle(title)} assets={assets}>
        <meta name="robots" content="noindex" />
      </DocumentHead>
      <body>
        <main className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-2 px-6 py-8 text-center">
          <Logo className="mb-4" />
          <h1 className="text-xl font-semibold tracking-tight text-ink">{title}</h1>
          <p className="text-base text-ink-soft">
            {kind === 'missing' ? TEXT.missingHint : TEXT.unavailableHint}
          </p>
          {kind === 'unavailable' ? (
            // Asks for the same address once more.
            <form className="mt-4">
              <button type="submit" className={buttonClassName('secondary', 'large')}>
                {TEXT.retry}
              </button>
            </form>
          ) : null}
        </main>
      </body>
    </html>
  );
}

/** The invitation to visitors, the feed, and the legal pages. */
function PageFoot({ category }: { readonly category: SharedCategory }) {
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
