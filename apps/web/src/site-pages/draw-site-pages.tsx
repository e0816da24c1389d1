import type { SitePageName } from '@linkoteca/domain/sharing';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { FrontPage } from './front/front-page.tsx';
import { PrivacyPage } from './legal/privacy-page.tsx';
import { TermsPage } from './legal/terms-page.tsx';
import type { SiteAssets } from './site-assets.ts';

/** Draws the pages of the site itself, complete: what they say needs no script. Marks stand for what an installation fills in. */
export function drawSitePages(assets: SiteAssets): Readonly<Record<SitePageName, string>> {
  return {
    front: draw(<FrontPage assets={assets} />),
    terms: draw(<TermsPage assets={assets} />),
    'privacy-policy': draw(<PrivacyPage assets={assets} />),
  };
}

function draw(document: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(document)}`;
}
