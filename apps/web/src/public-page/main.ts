import { createPageRenderer } from './create-page-renderer.tsx';
import css from './page.css?inline';
import bodyScript from './scripts/follow-page.ts?script';
import headScript from './scripts/prepare-page.ts?script';

/** What the server draws public pages with; it loads this file from the build. */
export const renderer = createPageRenderer({ css, headScript, bodyScript });
