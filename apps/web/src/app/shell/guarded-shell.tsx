import { DELAY_MS } from '@linkoteca/domain/limits';
import { type QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useLinkUsage } from '../../features/account/api/usage.ts';
import { LinkLimitBanner } from '../../features/account/components/link-limit-banner.tsx';
import { UsageMeter } from '../../features/account/components/usage-meter.tsx';
import { LoginGuard } from '../../features/auth/components/login-guard.tsx';
import { BinLink } from '../../features/bin/components/bin-link.tsx';
import { categoriesQuery } from '../../features/categories/api/list-categories.ts';
import { foldersQuery } from '../../features/folders/api/list-folders.ts';
import { prefetchLinks } from '../../features/links/api/list-links.ts';
import { SidebarFrame } from '../../features/shell/components/sidebar-frame.tsx';
import { SkipLink } from '../../features/shell/components/skip-link.tsx';
import { TopBarFrame } from '../../features/shell/components/top-bar-frame.tsx';
import { useSidebar } from '../../features/shell/model/use-sidebar.ts';
import { ShortcutsHost } from '../../features/shortcuts/components/shortcuts-host.tsx';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { useIdlePreload } from '../../shared/lib/browser/use-idle-preload.ts';
import { whenIdle } from '../../shared/lib/browser/when-idle.ts';
import { useConnection, useOnline } from '../../shared/lib/connection/connection-context.tsx';
import { createQueryClient } from '../../shared/lib/create-query-client.ts';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { DatabaseContext, useBackend, useDatabase } from '../../shared/lib/supabase/backend-context.tsx';
import {
  createDatabaseClient,
  type DatabaseClient,
} from '../../shared/lib/supabase/create-database-client.ts';
import { ErrorBoundary } from '../../shared/ui/feedback/error-boundary.tsx';
import { LiveBadge } from '../live/live-badge.tsx';
import { LiveUpdates } from '../live/live-updates.tsx';
import { OrganiserDialogs } from '../organiser/dialogs/organiser-dialogs.tsx';
import { FolderLooks } from '../organiser/folder-looks.tsx';
import { SidebarContent } from '../organiser/sidebar-content.tsx';
import { preloadSidebarEntries } from '../organiser/sidebar-entries.tsx';
import { TopBarSearch } from '../organiser/top-bar-search.tsx';
import { followConnection } from './follow-connection.ts';
import { TopBarActions } from './top-bar-actions.tsx';
import { useQueryPersistence } from './use-query-persistence.ts';

/** Every page behind the login guard, inside the shell. */
export function GuardedShell() {
  return (
    <LoginGuard>
      <DataProvider>
        <LiveUpdates>
          <FolderLooks>
            <OrganiserDialogs>
              <AppFrame>
                <Outlet />
              </AppFrame>
            </OrganiserDialogs>
          </FolderLooks>
        </LiveUpdates>
      </DataProvider>
    </LoginGuard>
  );
}

/**
 * The table client and the query cache for everything below. Both come and go with the shell: the sign-in screens do
 * not carry their code, and nothing that one person read is left for the next, also where a tab that slept goes from one
 * to the other at once. What is kept for times without network is on this device, not here (decision 0024).
 */
export function DataProvider({ children }: { readonly children: ReactNode }) {
  return <DataOfPerson key={useUserId()}>{children}</DataOfPerson>;
}

function DataOfPerson({ children }: { readonly children: ReactNode }) {
  const { config, auth } = useBackend();
  const connection = useConnection();
  const userId = useUserId();
  const { categoryId } = useParams({ strict: false });
  const [database] = useState(() => createDatabaseClient(config, auth, connection?.request, userId));
  const [queryClient] = useState(() => {
    if (connection) followConnection(connection);
    const client = createQueryClient();
    beginReading({ queryClient: client, database, userId, categoryId });
    return client;
  });
  return (
    <DatabaseContext value={database}>
      <QueryClientProvider client={queryClient}>
        <QueryPersistence />
        <CaptureSending />
        <SubscriptionCheck />
        <ReopeningNotice />
        {children}
      </QueryClientProvider>
    </DatabaseContext>
  );
}

/** Nothing to see: keeps what is shown for times without network. */
function QueryPersistence() {
  useQueryPersistence();
  return null;
}

/** Sends what waits on this device; its code comes when nothing else is to do. Shows nothing. */
function CaptureSending() {
  const queryClient = useQueryClient();
  const database = useDatabase();
  const backend = useBackend();
  const connection = useConnection();
  const userId = useUserId();
  useEffect(() => {
    let stop: (() => void) | null = null;
    let over = false;
    const begin = async () => {
      const { beginCaptures } = await import('../captures/begin-captures.ts');
      if (!over) stop = beginCaptures({ queryClient, database, backend, connection, userId });
    };
    // Without its code what waits is sent at the next start.
    const cancel = whenIdle(() => void begin().catch(() => undefined));
    return () => {
      over = true;
      cancel();
      stop?.();
    };
  }, [queryClient, database, backend, connection, userId]);
  return null;
}

/** Tells whoever has signed in to a closed account that it is open again; its code comes when nothing else is to do. Shows nothing. */
function ReopeningNotice() {
  const database = useDatabase();
  const { auth } = useBackend();
  const userId = useUserId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person is told anew
  useEffect(() => {
    const tell = async () => {
      const { tellReopening } = await import('../../features/account/api/tell-reopening.ts');
      await tellReopening({ auth, database });
    };
    // Offline or without its code nothing is told: it is only a word.
    return whenIdle(() => void tell().catch(() => undefined));
  }, [auth, database, userId]);
  return null;
}

interface FirstReads {
  readonly queryClient: QueryClient;
  readonly database: DatabaseClient;
  readonly userId: string;
  /** The category the page's address names, if it does. */
  readonly categoryId: string | undefined;
}

/**
 * Asks for what the first picture is made of before the frame around it is drawn: on a slow phone that takes as long as
 * the answers do.
 */
function beginReading({ queryClient, database, userId, categoryId }: FirstReads): void {
  if (categoryId !== undefined) prefetchLinks(queryClient, database, categoryId);
  void queryClient.prefetchQuery(categoriesQuery(database, userId));
  void queryClient.prefetchQuery(foldersQuery(database, userId));
}

/** Has the subscription checked two seconds after the session is there; its code comes then, too. Shows nothing. */
function SubscriptionCheck() {
  const queryClient = useQueryClient();
  const database = useDatabase();
  const backend = useBackend();
  const userId = useUserId();
  useEffect(() => {
    const over = new AbortController();
    const begin = async () => {
      const { beginSubscriptionCheck } = await import(
        '../../features/account/api/begin-subscription-check.ts'
      );
      beginSubscriptionCheck({ queryClient, database, ...backend, userId, over: over.signal });
    };
    // Without its code, offline or after an update, there is no check until the next start.
    const timer = setTimeout(() => void begin().catch(() => undefined), DELAY_MS.subscriptionCheck);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [queryClient, database, backend, userId]);
  return null;
}

/** The shell around every page: sidebar, top bar, banner, and the page in its own scroll container `#page`. */
export function AppFrame({ children }: { readonly children: ReactNode }) {
  const sidebar = useSidebar();
  const [shortcuts, setShortcuts] = useState(false);
  useIdlePreload(preloadSidebarEntries);

  return (
    <div className="flex h-[calc(100dvh-var(--strip-height))] overflow-hidden bg-paper print:h-auto print:overflow-visible">
      <SkipLink />
      <SidebarFrame
        sidebar={sidebar}
        bottom={<BinLink collapsed={sidebar.collapsed} onNavigate={sidebar.closeDrawer} />}
        foot={<SidebarUsage />}
      >
        <ErrorBoundary extent="part">
          <SidebarContent collapsed={sidebar.collapsed} onNavigate={sidebar.closeDrawer} />
        </ErrorBoundary>
      </SidebarFrame>
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBarFrame
          sidebar={sidebar}
          search={<TopBarSearch onOpenShortcuts={() => setShortcuts(true)} />}
          actions={<TopBarActions narrow={sidebar.narrow} onOpenShortcuts={() => setShortcuts(true)} />}
        />
        <OfflineBar />
        <main
          id="page"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable with the keyboard
          tabIndex={0}
          className="relative min-h-0 flex-1 overflow-y-auto -outline-offset-2"
        >
          <div className="mx-auto max-w-page px-4 pt-4 empty:hidden md:px-8">
            <LinkLimitBanner />
          </div>
          {children}
        </main>
      </div>
      <LiveBadge />
      <ShortcutsHost open={shortcuts} onOpenChange={setShortcuts} />
    </div>
  );
}

/** Links used, at the sidebar's foot, on plans that have a limit. */
function SidebarUsage() {
  const usage = useLinkUsage();
  if (usage?.max == null) return null;
  return (
    <div className="shrink-0 border-t border-line px-4 py-3">
      <UsageMeter usage={usage} />
    </div>
  );
}

const loadMark = () => import('./offline-mark.tsx');
const OfflineMark = lazyPart(loadMark, (module) => module.OfflineMark);

/** The offline mark, when there is reason for it. Its code comes while there is still a network. */
function OfflineBar() {
  const online = useOnline();
  useIdlePreload(loadMark);
  return online ? null : (
    <Suspense>
      <OfflineMark />
    </Suspense>
  );
}
