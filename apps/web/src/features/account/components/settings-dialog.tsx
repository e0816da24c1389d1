import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Person } from '../../../shared/lib/session/read-person.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { Tabs } from '../../../shared/ui/tabs.tsx';
import { SecurityPanel } from './security-panel.tsx';

export type SettingsTab = 'security' | 'billing';

export interface SettingsDialogProps {
  readonly person: Person;
  readonly open: boolean;
  readonly tab: SettingsTab;
  readonly onTabChange: (tab: SettingsTab) => void;
  readonly onClose: () => void;
  /** The tab Faturamento. */
  readonly billing: ReactNode;
}

/** 'Configurações da Conta' for the signed-in person. */
export function SettingsDialog({ person, open, tab, onTabChange, onClose, billing }: SettingsDialogProps) {
  const [dirty, setDirty] = useState(false);
  const close = () => {
    setDirty(false);
    onClose();
  };
  const tabs = [
    {
      value: 'security',
      label: 'Segurança',
      content: <SecurityPanel email={person.email} onDirtyChange={setDirty} />,
    },
    { value: 'billing', label: 'Faturamento', content: billing },
  ];
  return (
    <Dialog open={open} onClose={close} title="Configurações da Conta" dirty={dirty} width="wide">
      <Tabs
        label="Configurações da Conta"
        tabs={tabs}
        value={tab}
        onChange={(value) => onTabChange(value === 'billing' ? 'billing' : 'security')}
      />
    </Dialog>
  );
}
