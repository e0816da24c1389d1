import css from './category/category.css?inline';
import { createPageRenderer } from './category/create-page-renderer.tsx';
import headScript from './scripts/category-head.ts?script';
import bodyScript from './scripts/category-page.ts?script';
import siteHeadScript from './scripts/site-head.ts?script';
import lateScript from './scripts/site-page.ts?script';
import pictureScript from './scripts/site-picture.ts?script';
import * as site from './site/draw-site-pages.tsx';
import deskDark from './site/pictures/desk-dark.webp';
import deskLight from './site/pictures/desk-light.webp';
import phoneDark from './site/pictures/phone-dark.webp';
import phoneLight from './site/pictures/phone-light.webp';
import social from './site/pictures/social.png';
import siteCss from './site/site.css?inline';

/** What the server draws public categories with; it loads this file from the build. */
export const renderer = createPageRenderer({ css, headScript, bodyScript });

/** Every page of the site by its name; the build asks for them once and writes them down. */
export function drawSitePages() {
  return site.drawSitePages({
    css: siteCss,
    headScript: siteHeadScript,
    pictureScript,
    lateScript,
    pictures: {
      desk: { light: deskLight, dark: deskDark },
      phone: { light: phoneLight, dark: phoneDark },
      social,
    },
  });
}
