import { Suspense, useState } from 'react';
import { AccountMenu } from '../../features/account/components/account-menu.tsx';
import { useSignOut } from '../../features/auth/api/use-sign-out.ts';
import type { SettingsTab } from '../../features/settings/components/settings-dialog.tsx';
import { ThemeToggle } from '../../features/theme/components/theme-toggle.tsx';
import { lazyPart } from '../../shared/lib/lazy-part.tsx';
import { usePerson } from '../../shared/lib/session/session-context.tsx';

const SettingsDialog = lazyPart(
  () => import('./account-settings.tsx'),
  (module) => module.default,
);
const NarrowActions = lazyPart(
  () => import('./narrow-actions.tsx'),
  (module) => module.default,
);

interface TopBarActionsProps {
  readonly narrow: boolean;
  readonly onOpenShortcuts: () => void;
}

/** Theme and account at the right of the top bar; one menu on narrow screens. */
export function TopBarActions({ narrow, onOpenShortcuts }: TopBarActionsProps) {
  const person = usePerson();
  const { leaving, signOut } = useSignOut();
  const [settings, setSettings] = useState<{ readonly open: boolean; readonly tab: SettingsTab } | null>(
    null,
  );
  if (!person) return null;
  const account = { leaving, onSignOut: () => void signOut() };
  return (
    <>
      {narrow ? (
        <Suspense fallback={<span className="size-11" />}>
          <NarrowActions {...account} />
        </Suspense>
      ) : (
        <>
          <ThemeToggle />
          <AccountMenu
            {...account}
            person={person}
            onOpenShortcuts={onOpenShortcuts}
            onOpenBilling={() => setSettings({ open: true, tab: 'billing' })}
          />
        </>
      )}
      {settings ? (
        <Suspense>
          <SettingsDialog
            person={person}
            open={settings.open}
            tab={settings.tab}
            onTabChange={(tab) => setSettings({ open: true, tab })}
            onClose={() => setSettings({ ...settings, open: false })}
          />
        </Suspense>
      ) : null}
    </>
  );
}
