import { Menu, PanelLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { nameKey } from '../../../shared/lib/name-key.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { Sidebar } from '../model/use-sidebar.ts';

interface TopBarFrameProps {
  readonly sidebar: Sidebar;
  readonly search: ReactNode;
  /** Theme and account, or the narrow-screen menu. */
  readonly actions: ReactNode;
}

/** The bar over the page: sidebar toggle, search in the middle, actions at the right. 56 px; 73 px on phones. */
export function TopBarFrame({ sidebar, search, actions }: TopBarFrameProps) {
  const { narrow, collapsed, drawerOpen, toggle } = sidebar;
  const label = narrow ? 'Abrir navegação' : collapsed ? 'Expandir barra lateral' : 'Recolher barra lateral';
  return (
    <header
      data-print="hide"
      className="flex h-(--topbar-height) shrink-0 items-center gap-2 border-b border-line bg-paper px-3 max-md:h-(--mobile-header-offset) md:gap-3 md:px-4"
    >
      <IconButton
        label={label}
        title={narrow ? label : `${label} (${nameKey('mod')} B)`}
        aria-keyshortcuts="Control+B Meta+B"
        aria-expanded={narrow ? drawerOpen : !collapsed}
        onClick={toggle}
      >
        {narrow ? <Menu aria-hidden /> : <PanelLeft aria-hidden />}
      </IconButton>
      <div className="flex min-w-0 flex-1 justify-center">
        <div className="w-full max-w-xl min-w-0">{search}</div>
      </div>
      <div className="flex shrink-0 items-center gap-1.5">{actions}</div>
    </header>
  );
}
