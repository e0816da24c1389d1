import type { RouterHistory } from '@tanstack/react-router';
import {
  createBrowserHistory,
  createRouter,
  parseSearchWith,
  stringifySearchWith,
} from '@tanstack/react-router';
import { letLayersGo } from '../shared/lib/back-layers.ts';
import { FullScreenSpinner } from '../shared/ui/full-screen-spinner.tsx';
import { RouteError } from './pages/route-error.tsx';
import { routeTree } from './route-tree.tsx';

/**
 * The router over every route. A page's code is fetched when its link is hovered or focused. The browser's own history
 * unless another is given.
 */
export function createAppRouter(history: RouterHistory = createBrowserHistory()) {
  return createRouter({
    routeTree,
    history: letLayersGo(history),
    // Parameters are text as it was written: a search for 123 is not one for a number, and carries no quotation marks.
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
    defaultPreload: 'intent',
    defaultPendingComponent: FullScreenSpinner,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
    // The shell's page scrolls in a container of its own.
    scrollToTopSelectors: ['#page'],
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
