import '../../features/admin/styles/admin.css';
import '../../features/admin/styles/admin-charts.css';
import '../../features/admin/styles/admin-tables.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { AdminFrame } from '../../features/admin/components/admin-frame.tsx';
import { AccessDenied, AdminGate, CheckingAccess } from '../../features/admin/components/admin-gate.tsx';
import { AdminNotices } from '../../features/admin/components/admin-notices.tsx';
import { UnknownPage } from '../../features/admin/components/unknown-page.tsx';
import { ThemeToggle } from '../../features/theme/components/theme-toggle.tsx';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { useConnection } from '../../shared/lib/connection/connection-context.tsx';
import { createQueryClient } from '../../shared/lib/create-query-client.ts';
import { useSession, useUserId } from '../../shared/lib/session/session-context.tsx';
import { DatabaseContext, useBackend } from '../../shared/lib/supabase/backend-context.tsx';
import { createDatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';
import { ErrorBoundary } from '../../shared/ui/feedback/error-boundary.tsx';
import { Spinner } from '../../shared/ui/feedback/spinner.tsx';
import { followConnection } from '../shell/follow-connection.ts';

const Dashboard = lazyPart(
  () => import('../../features/admin/components/admin-dashboard.tsx'),
  (module) => module.AdminDashboard,
);
const Users = lazyPart(
  () => import('../../features/admin/components/users-page.tsx'),
  (module) => module.UsersPage,
);
const Plans = lazyPart(
  () => import('../../features/admin/components/subscriptions-page.tsx'),
  (module) => module.SubscriptionsPage,
);
const Statistics = lazyPart(
  () => import('../../features/admin/components/statistics-page.tsx'),
  (module) => module.StatisticsPage,
);
const Audit = lazyPart(
  () => import('../../features/admin/components/audit-page.tsx'),
  (module) => module.AuditPage,
);

const SecondStep = lazyPart(
  () => import('../../features/auth/components/second-step.tsx'),
  (module) => module.SecondStep,
);

/** The pages below /diane by the rest of their path. */
const pages = new Map([
  ['', Dashboard],
  ['users', Users],
  ['plans', Plans],
  ['statistics', Statistics],
  ['audit', Audit],
]);

/** /diane and all below it: one route for the router, whose code nobody but the administrator fetches. */
export function AdminArea() {
  const session = useSession();
  const { _splat: path = '' } = useParams({ from: '/diane/$' });
  const Page = pages.get(path.replace(/\/+$/, '')) ?? UnknownPage;

  if (session.status === 'loading') return <CheckingAccess />;
  if (session.status !== 'signed-in') return <AccessDenied signedIn={false} />;
  if (session.pending.length > 0)
    return (
      <Suspense fallback={<CheckingAccess />}>
        <SecondStep />
      </Suspense>
    );
  return (
    <AdminDataProvider key={session.person.id}>
      <AdminGate>
        <AdminFrame open={path} actions={<ThemeToggle />}>
          <AdminNotices>
            <ErrorBoundary key={path} extent="part">
              <Suspense
                fallback={
                  <div className="admin-waiting">
                    <Spinner />
                  </div>
                }
              >
                <Page />
              </Suspense>
            </ErrorBoundary>
          </AdminNotices>
        </AdminFrame>
      </AdminGate>
    </AdminDataProvider>
  );
}

/**
 * The table client and a query cache of the admin area's own: what the administrator reads of others stays in this page's
 * memory, is never kept on the device, and goes with the area.
 */
export function AdminDataProvider({ children }: { readonly children: ReactNode }) {
  const { config, auth } = useBackend();
  const connection = useConnection();
  const userId = useUserId();
  const [database] = useState(() => createDatabaseClient(config, auth, connection?.request, userId));
  const [queryClient] = useState(() => {
    if (connection) followConnection(connection);
    return createQueryClient();
  });
  return (
    <DatabaseContext value={database}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </DatabaseContext>
  );
}
