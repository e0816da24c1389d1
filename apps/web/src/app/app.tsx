import { CSPProvider } from '@base-ui/react/csp-provider';
import {
  createBrowserHistory,
  createRouter,
  parseSearchWith,
  type RouterHistory,
  RouterProvider,
  stringifySearchWith,
} from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { letLayersGo } from '../shared/lib/browser/back-layers.ts';
import { ConnectionContext } from '../shared/lib/connection/connection-context.tsx';
import { RealtimeContext } from '../shared/lib/realtime/realtime-context.tsx';
import { SessionContext } from '../shared/lib/session/session-context.tsx';
import { BackendContext } from '../shared/lib/supabase/backend-context.tsx';
import { ErrorBoundary } from '../shared/ui/feedback/error-boundary.tsx';
import { FullScreenSpinner } from '../shared/ui/feedback/full-screen-spinner.tsx';
import { LazyToastRegion } from '../shared/ui/feedback/lazy-toast-region.tsx';
import type { AppServices } from './create-app-services.ts';
import { RouteError } from './pages/route-error.tsx';
import { routeTree } from './route-tree.tsx';

/** The whole app over its services. */
export function App({ history, ...services }: AppServices & { readonly history?: RouterHistory }) {
  const [router] = useState(() => createAppRouter(history));
  return (
    <AppProviders {...services}>
      <RouterProvider router={router} />
    </AppProviders>
  );
}

/** Everything that screens reach through context. */
function AppProviders(props: AppServices & { readonly children: ReactNode }) {
  const { backend, session, connection = null, openRealtime = null, children } = props;
  return (
    // Inline <style> elements are refused by the content-security policy; base.css has those rules.
    <CSPProvider disableStyleElements>
      <ErrorBoundary>
        <BackendContext value={backend}>
          <ConnectionContext value={connection}>
            <RealtimeContext value={openRealtime}>
              <SessionContext value={session}>{children}</SessionContext>
            </RealtimeContext>
          </ConnectionContext>
        </BackendContext>
        <LazyToastRegion />
      </ErrorBoundary>
    </CSPProvider>
  );
}

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
