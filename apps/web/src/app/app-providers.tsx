import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';
import { SessionContext } from '../shared/lib/session/session-context.tsx';
import { BackendContext } from '../shared/lib/supabase/backend-context.tsx';
import { ErrorBoundary } from '../shared/ui/error-boundary.tsx';
import { LazyToastRegion } from '../shared/ui/lazy-toast-region.tsx';
import type { AppServices } from './create-app-services.ts';

/** Everything that screens reach through context. */
export function AppProviders({ backend, session, children }: AppServices & { readonly children: ReactNode }) {
  return (
    // Inline <style> elements are refused by the content-security policy; base.css has those rules.
    <CSPProvider disableStyleElements>
      <ErrorBoundary>
        <BackendContext value={backend}>
          <SessionContext value={session}>{children}</SessionContext>
        </BackendContext>
        <LazyToastRegion />
      </ErrorBoundary>
    </CSPProvider>
  );
}
