import {
  describePublicTitle,
  PUBLIC_PAGE_MESSAGES as TEXT,
} from '@linkoteca/domain/messages/public-page-messages';
import {
  type SharedPage,
  type SharedPageRenderer,
  type SharedPageSite,
  type SharedView,
  sharedPath,
} from '@linkoteca/domain/sharing';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import { Logo } from '../../shared/ui/logo.tsx';
import { PageBar } from '../../views/page-bar.tsx';
import { FOOT_LINK, FootLinks, Invitation } from '../../views/page-foot.tsx';
import { type DocumentAssets, DrawnDocument, drawDocument, PlainLink } from '../drawn-document.tsx';
import { EmbedDocument } from './embed-document.tsx';
import { FolderDocument } from './folder-document.tsx';
import { PageContent } from './page-content.tsx';
import { appHref } from './page-href.ts';
import { PageMetadata } from './page-metadata.tsx';

interface PageAssets extends DocumentAssets {
  /** At the end of the page: follows changes while it is open. */
  readonly bodyScript: string;
}

/** Draws complete pages of a category: their content needs no script. */
export function createPageRenderer(assets: PageAssets): SharedPageRenderer {
  return {
    renderPage: (page, view, site) =>
      drawDocument(<PageDocument page={page} view={view} site={site} assets={assets} />),
    renderFolder: (folder, site) =>
      drawDocument(<FolderDocument folder={folder} site={site} assets={assets} />),
    renderEmbed: (page, site) => drawDocument(<EmbedDocument page={page} site={site} assets={assets} />),
    renderMissingEmbed: () => drawDocument(<NoticeDocument kind="missing" assets={assets} />),
    renderUnavailable: () => drawDocument(<NoticeDocument kind="unavailable" assets={assets} />),
    inlineScripts: [assets.headScript, assets.bodyScript],
    inlineStyles: [assets.css],
  };
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
  const from = appHref(category);
  return (
    <DrawnDocument
      title={describePublicTitle(category.name)}
      assets={assets}
      data={{ 'data-category': category.id, 'data-key': site.anonKey }}
      head={<PageMetadata page={page} view={view} site={site} />}
    >
      <div id="root" className="flex min-h-dvh flex-col bg-paper">
        <PageBar link={PlainLink} readers={['visitor', 'member']} from={from} />
        {/* What the script exchanges when something has changed. */}
        <main id="content" className="mx-auto w-full max-w-page flex-1 px-4 py-6 md:px-8 md:py-10">
          <PageContent page={page} view={view} />
        </main>
        <footer data-print="hide" className="mx-auto w-full max-w-page px-4 pb-8 md:px-8">
          <Invitation
            link={PlainLink}
            from={from}
            className="flex-col items-start bg-sunken md:flex-row md:items-center md:justify-between md:p-6"
          />
          <FootLinks link={PlainLink} className="mt-6">
            <a href={`${sharedPath(category)}/feed.xml`} className={FOOT_LINK}>
              {TEXT.feed}
            </a>
          </FootLinks>
        </footer>
      </div>
      <script>{assets.bodyScript}</script>
    </DrawnDocument>
  );
}

interface NoticeDocumentProps {
  readonly kind: 'missing' | 'unavailable';
  readonly assets: DocumentAssets;
}

/** A page that says why there is none. */
function NoticeDocument({ kind, assets }: NoticeDocumentProps) {
  const title = TEXT[kind];
  return (
    <DrawnDocument
      title={describePublicTitle(title)}
      assets={assets}
      head={<meta name="robots" content="noindex" />}
    >
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
    </DrawnDocument>
  );
}
