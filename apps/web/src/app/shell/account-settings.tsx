import { BillingPanel } from '../../features/account/components/billing-panel.tsx';
import type { SettingsDialogProps } from '../../features/account/components/settings-dialog.tsx';
import { SettingsDialog } from '../../features/account/components/settings-dialog.tsx';

/** The settings dialog with its billing tab, which asks for nothing before it is seen; a default export because it is loaded lazily. */
export default function AccountSettings(props: Omit<SettingsDialogProps, 'billing'>) {
  return <SettingsDialog {...props} billing={props.tab === 'billing' ? <BillingPanel /> : null} />;
}
