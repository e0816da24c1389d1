import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Suspense } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { Logo } from '../../../shared/ui/logo.tsx';
import type { Sidebar } from '../model/use-sidebar.ts';

const Drawer = lazyPart(
  () => import('../../../shared/ui/dialogs/drawer.tsx'),
  (module) => module.Drawer,
);

interface SidebarFrameProps {
  readonly sidebar: Sidebar;
  readonly children: ReactNode;
  /** Stays in sight below what scrolls. */
  readonly bottom?: ReactNode;
  /** What is used of the plan; hidden while collapsed. */
  readonly foot: ReactNode;
}

/** Logo, scrolling content and foot: 16rem wide, 3rem collapsed, an 18rem drawer under 768 px. */
export function SidebarFrame({ sidebar, children, bottom, foot }: SidebarFrameProps) {
  const content = (
    <SidebarBody sidebar={sidebar} bottom={bottom} foot={foot}>
      {children}
    </SidebarBody>
  );
  if (sidebar.narrow) {
    return (
      <Suspense>
        <Drawer open={sidebar.drawerOpen} onClose={sidebar.closeDrawer} label="Navegação">
          {content}
        </Drawer>
      </Suspense>
    );
  }
  return (
    <aside
      aria-label="Navegação"
      data-print="hide"
      className={joinClassNames(
        'flex shrink-0 flex-col overflow-hidden border-r border-line bg-sidebar transition-[width] ease-out',
        sidebar.collapsed ? 'w-(--sidebar-width-collapsed)' : 'w-(--sidebar-width)',
      )}
    >
      {content}
    </aside>
  );
}

function SidebarBody({ sidebar, children, bottom, foot }: SidebarFrameProps) {
  const { collapsed } = sidebar;
  return (
    <>
      <div
        className={joinClassNames(
          'flex h-(--topbar-height) shrink-0 items-center',
          collapsed ? 'justify-center' : 'px-4',
        )}
      >
        <Link
          to="/dashboard"
          onClick={sidebar.closeDrawer}
          className="hit-area rounded"
          aria-label="Linkoteca, ir para o início"
        >
          <Logo markOnly={collapsed} />
        </Link>
      </div>
      <div className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain">{children}</div>
      {bottom}
      {collapsed ? null : foot}
    </>
  );
}
