import { useCallback, useState } from 'react';
import { toggleSeen } from '../../../shared/lib/browser/toggle-seen.ts';
import { useBackCloses } from '../../../shared/lib/browser/use-back-closes.ts';
import { useNarrowScreen } from '../../../shared/lib/browser/use-narrow-screen.ts';
import { useShortcut } from '../../../shared/lib/browser/use-shortcut.ts';
import { readSidebarCollapsed, sidebarCookie } from './sidebar-cookie.ts';

export interface Sidebar {
  /** Under 768 px: the sidebar is a drawer. */
  readonly narrow: boolean;
  /** Only the icons' width; never on a narrow screen. */
  readonly collapsed: boolean;
  readonly drawerOpen: boolean;
  /** Collapses or expands; opens or closes the drawer on a narrow screen. */
  readonly toggle: () => void;
  readonly closeDrawer: () => void;
}

/** The sidebar's state: kept in a cookie for 7 days, toggled by Ctrl/Cmd+B. */
export function useSidebar(): Sidebar {
  const narrow = useNarrowScreen();
  const [collapsed, setCollapsed] = useState(() => readSidebarCollapsed(document.cookie));
  const [drawerOpen, setDrawerOpen] = useState(false);

  const toggle = useCallback(() => {
    if (narrow) {
      setDrawerOpen(toggleSeen);
      return;
    }
    const next = !collapsed;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox
    document.cookie = sidebarCookie(next);
    setCollapsed(next);
  }, [narrow, collapsed]);

  // The drawer is a dialog itself, and the key that opens it closes it.
  useShortcut('mod+b', toggle, { whileTyping: true, underDialogs: narrow && drawerOpen });

  const closeDrawer = useCallback(() => setDrawerOpen(false), []);
  useBackCloses(drawerOpen && narrow, closeDrawer);
  return { narrow, collapsed: collapsed && !narrow, drawerOpen: drawerOpen && narrow, toggle, closeDrawer };
}
