// What the view of covers needs, in one file of the build: it comes when somebody first chooses the view.
export { CoverLinks } from './cover-links.tsx';
export { CoverMenuItems } from './cover-menu-items.tsx';
