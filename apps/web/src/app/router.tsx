import type { RouterHistory } from '@tanstack/react-router';
import { createRouter } from '@tanstack/react-router';
import { FullScreenSpinner } from '../shared/ui/full-screen-spinner.tsx';
import { RouteError } from './pages/route-error.tsx';
import { routeTree } from './route-tree.tsx';

/**
 * The router over every route. A page's code is fetched when its link is hovered or focused. The browser's own history
 * unless another is given.
 */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    ...(history ? { history } : {}),
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
