import { NarrowMenu } from '../../features/shell/components/narrow-menu.tsx';
import { ThemeMenuItem } from '../../features/theme/components/theme-menu-item.tsx';

interface NarrowActionsProps {
  readonly leaving: boolean;
  readonly onSignOut: () => void;
}

/** The narrow-screen menu with the theme in it; a default export because it is loaded lazily. */
export default function NarrowActions(props: NarrowActionsProps) {
  return (
    <NarrowMenu {...props}>
      <ThemeMenuItem />
    </NarrowMenu>
  );
}
