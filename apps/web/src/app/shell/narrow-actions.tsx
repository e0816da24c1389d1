import { OFFLINE_MESSAGES } from '@linkoteca/domain/offline-messages';
import { Download } from 'lucide-react';
import { NarrowMenu } from '../../features/shell/components/narrow-menu.tsx';
import { ThemeMenuItem } from '../../features/theme/components/theme-menu-item.tsx';
import { useInstallOffer } from '../../shared/lib/install-offer.ts';
import { MenuItem } from '../../shared/ui/menu-item.tsx';

interface NarrowActionsProps {
  readonly leaving: boolean;
  readonly onSignOut: () => void;
}

/** The narrow-screen menu with the theme and the installing in it; a default export because it is loaded lazily. */
export default function NarrowActions(props: NarrowActionsProps) {
  const install = useInstallOffer();
  return (
    <NarrowMenu {...props}>
      <ThemeMenuItem />
      {install ? (
        <MenuItem icon={<Download aria-hidden />} onSelect={install}>
          {OFFLINE_MESSAGES.install}
        </MenuItem>
      ) : null}
    </NarrowMenu>
  );
}
