import { describePublicTitle } from '@linkoteca/domain/public-page-messages';
import type { SharedPage, SharedPageSite, SharedView } from '@linkoteca/domain/shared-page';
import { DocumentHead } from './document-head.tsx';
import type { PageAssets } from './page-assets.ts';
import { PageBar } from './page-bar.tsx';
import { PageContent } from './page-content.tsx';
import { PageFoot } from './page-foot.tsx';
import { PageMetadata } from './page-metadata.tsx';

interface PageDocumentProps {
  readonly page: SharedPage;
  readonly view: SharedView;
  readonly site: SharedPageSite;
  readonly assets: PageAssets;
}

/** The whole page of a public category. */
export function PageDocument({ page, view, site, assets }: PageDocumentProps) {
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
