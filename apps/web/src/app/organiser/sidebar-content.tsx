export interface SidebarContentProps {
  readonly collapsed: boolean;
  readonly onNavigate: () => void;
}

/** What stands between the logo and the foot of the sidebar. */
export function SidebarContent(_props: SidebarContentProps) {
  return null;
}
