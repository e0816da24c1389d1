import type { SitePageName } from '@linkoteca/domain/sharing';
import { drawDocument } from '../drawn-document.tsx';
import { FrontPage } from './front/front-page.tsx';
import { PrivacyPage } from './legal/privacy-page.tsx';
import { TermsPage } from './legal/terms-page.tsx';
import type { SiteAssets } from './site-document.tsx';

/** Draws the pages of the site itself, complete: what they say needs no script. Marks stand for what an installation fills in. */
export function drawSitePages(assets: SiteAssets): Readonly<Record<SitePageName, string>> {
  return {
    front: drawDocument(<FrontPage assets={assets} />),
    terms: drawDocument(<TermsPage assets={assets} />),
    'privacy-policy': drawDocument(<PrivacyPage assets={assets} />),
  };
}
