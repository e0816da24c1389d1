import { createRouter } from '@tanstack/react-router';
import { FullScreenSpinner } from '../shared/ui/full-screen-spinner.tsx';
import { RouteError } from './pages/route-error.tsx';
import { routeTree } from './route-tree.tsx';

/** The router over every route. A page's code is fetched when its link is hovered or focused. */
export function createAppRouter() {
  return createRouter({
    routeTree,
    defaultPreload: 'intent',
    defaultPendingComponent: FullScreenSpinner,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
