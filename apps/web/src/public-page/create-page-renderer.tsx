import type { SharedPageRenderer } from '@linkoteca/domain/shared-page';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { EmbedDocument } from './embed-document.tsx';
import { NoticeDocument } from './notice-document.tsx';
import type { PageAssets } from './page-assets.ts';
import { PageDocument } from './page-document.tsx';

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
