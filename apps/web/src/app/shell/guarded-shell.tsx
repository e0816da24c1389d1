import { Outlet } from '@tanstack/react-router';
import { LoginGuard } from '../../features/auth/components/login-guard.tsx';
import { LiveUpdates } from '../live/live-updates.tsx';
import { OrganiserDialogs } from '../organiser/organiser-dialogs.tsx';
import { AppFrame } from './app-frame.tsx';
import { DataProvider } from './data-provider.tsx';

/** Every page behind the login guard, inside the shell. */
export function GuardedShell() {
  return (
    <LoginGuard>
      <DataProvider>
        <LiveUpdates>
          <OrganiserDialogs>
            <AppFrame>
              <Outlet />
            </AppFrame>
          </OrganiserDialogs>
        </LiveUpdates>
      </DataProvider>
    </LoginGuard>
  );
}
