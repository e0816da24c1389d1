import { type ComponentProps, Suspense, useState } from 'react';
import { AccountMenu } from '../../features/account/components/account-menu.tsx';
import type { SettingsTab } from '../../features/account/components/settings-dialog.tsx';
import { useSignOut } from '../../features/auth/api/use-sign-out.ts';
import { ThemeIcon } from '../../features/theme/components/theme-icon.tsx';
import { ThemeToggle } from '../../features/theme/components/theme-toggle.tsx';
import { themeNames, useThemeChoice } from '../../features/theme/model/use-theme-choice.ts';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { usePerson } from '../../shared/lib/session/session-context.tsx';

const SettingsDialog = lazyPart(
  () => import('./account-settings.tsx'),
  (module) => module.default,
);

interface TopBarActionsProps {
  readonly narrow: boolean;
  readonly onOpenShortcuts: () => void;
}

/** Theme and account at the right of the top bar; both in one menu on narrow screens. */
export function TopBarActions({ narrow, onOpenShortcuts }: TopBarActionsProps) {
  const person = usePerson();
  const { leaving, signOut } = useSignOut();
  const [settings, setSettings] = useState<{ readonly open: boolean; readonly tab: SettingsTab } | null>(
    null,
  );
  if (!person) return null;
  const account = {
    person,
    leaving,
    onSignOut: () => void signOut(),
    onOpenShortcuts,
    onOpenBilling: () => setSettings({ open: true, tab: 'billing' }),
  };
  return (
    <>
      {narrow ? (
        <NarrowMenu {...account} />
      ) : (
        <>
          <ThemeToggle />
          <AccountMenu {...account} />
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

/** The one menu of narrow screens, with the theme in it. */
function NarrowMenu(account: ComponentProps<typeof AccountMenu>) {
  const { choice, advance } = useThemeChoice();
  const theme = {
    icon: <ThemeIcon choice={choice} />,
    label: `Tema ${themeNames[choice]}`,
    onPress: advance,
  };
  return <AccountMenu {...account} narrow={{ entries: [theme] }} />;
}
