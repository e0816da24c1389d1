import { drawSitePages } from './draw-site-pages.tsx';
import deskDark from './pictures/desk-dark.webp';
import deskLight from './pictures/desk-light.webp';
import phoneDark from './pictures/phone-dark.webp';
import phoneLight from './pictures/phone-light.webp';
import social from './pictures/social.png';
import lateScript from './scripts/after-content.ts?script';
import pictureScript from './scripts/picture.ts?script';
import headScript from './scripts/prepare.ts?script';
import css from './site.css?inline';

/** Every page of the site by its name; the build writes them down, and nothing of this runs afterwards. */
export const pages = drawSitePages({
  css,
  headScript,
  pictureScript,
  lateScript,
  pictures: {
    desk: { light: deskLight, dark: deskDark },
    phone: { light: phoneLight, dark: phoneDark },
    social,
  },
});
