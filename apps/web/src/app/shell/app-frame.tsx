import type { ReactNode } from 'react';
import { useState } from 'react';
import { LinkLimitBanner } from '../../features/account/components/link-limit-banner.tsx';
import { SidebarFrame } from '../../features/shell/components/sidebar-frame.tsx';
import { SkipLink } from '../../features/shell/components/skip-link.tsx';
import { TopBarFrame } from '../../features/shell/components/top-bar-frame.tsx';
import { useSidebar } from '../../features/shell/model/use-sidebar.ts';
import { ShortcutsHost } from '../../features/shortcuts/components/shortcuts-host.tsx';
import { Announcer } from '../../shared/ui/announcer.tsx';
import { ErrorBoundary } from '../../shared/ui/error-boundary.tsx';
import { LiveBadge } from '../live/live-badge.tsx';
import { SidebarContent } from '../organiser/sidebar-content.tsx';
import { TopBarSearch } from '../organiser/top-bar-search.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { SidebarUsage } from './sidebar-usage.tsx';
import { TopBarActions } from './top-bar-actions.tsx';

/** The shell around every page: sidebar, top bar, banner, and the page in its own scroll container `#page`. */
export function AppFrame({ children }: { readonly children: ReactNode }) {
  const sidebar = useSidebar();
  const [shortcuts, setShortcuts] = useState(false);

  return (
    <div className="flex h-[calc(100dvh-var(--strip-height))] overflow-hidden bg-paper print:h-auto print:overflow-visible">
      <SkipLink />
      <Announcer />
      <SidebarFrame sidebar={sidebar} foot={<SidebarUsage />}>
        <ErrorBoundary extent="part">
          <SidebarContent collapsed={sidebar.collapsed} onNavigate={sidebar.closeDrawer} />
        </ErrorBoundary>
      </SidebarFrame>
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBarFrame
          sidebar={sidebar}
          search={<TopBarSearch />}
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
