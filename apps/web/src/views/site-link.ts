import type { ComponentType, ReactNode } from 'react';

/** Where the parts that every page has lead to. */
export type SitePlace = '/' | '/dashboard' | '/login' | '/signup' | '/terms' | '/privacy-policy';

export interface SiteLinkProps {
  readonly to: SitePlace;
  /** The page to return to after signing in. */
  readonly from?: string | undefined;
  readonly className: string;
  readonly children: ReactNode;
  readonly 'aria-label'?: string;
  /** For whom it is, where the page is drawn before anybody knows who reads it. */
  readonly 'data-for'?: 'visitor' | 'member';
}

/** How a shell draws a link of the site: the router's in the app, `<a>` in a drawn page. */
export type SiteLink = ComponentType<SiteLinkProps>;
