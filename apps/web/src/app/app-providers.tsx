import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';
import { ConnectionContext } from '../shared/lib/connection/connection-context.tsx';
import { RealtimeContext } from '../shared/lib/realtime/realtime-context.tsx';
import { SessionContext } from '../shared/lib/session/session-context.tsx';
import { BackendContext } from '../shared/lib/supabase/backend-context.tsx';
import { ErrorBoundary } from '../shared/ui/error-boundary.tsx';
import { LazyToastRegion } from '../shared/ui/lazy-toast-region.tsx';
import type { AppServices } from './create-app-services.ts';

/** Everything that screens reach through context. */
export function AppProviders(props: AppServices & { readonly children: ReactNode }) {
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
