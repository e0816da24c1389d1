import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SessionContext } from '../shared/lib/session/session-context.tsx';
import { BackendContext } from '../shared/lib/supabase/backend-context.tsx';
import { ErrorBoundary } from '../shared/ui/error-boundary.tsx';
import { ToastRegion } from '../shared/ui/toast-region.tsx';
import type { AppServices } from './create-app-services.ts';

/** Everything that screens reach through context. */
export function AppProviders({
  backend,
  session,
  queryClient,
  children,
}: AppServices & { readonly children: ReactNode }) {
  return (
    // Inline <style> elements are refused by the content-security policy; base.css has those rules.
    <CSPProvider disableStyleElements>
      <ErrorBoundary>
        <BackendContext value={backend}>
          <SessionContext value={session}>
            <QueryClientProvider client={queryClient}>
              <ToastRegion>{children}</ToastRegion>
            </QueryClientProvider>
          </SessionContext>
        </BackendContext>
      </ErrorBoundary>
    </CSPProvider>
  );
}
