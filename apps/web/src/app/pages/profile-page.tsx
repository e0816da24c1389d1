import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { BillingPanel } from '../../features/account/components/billing-panel.tsx';
import { useSignInWithGoogle } from '../../features/auth/api/use-sign-in-with-google.ts';
import { PersonalPanel } from '../../features/settings/components/personal-panel.tsx';
import { SecurityPanel } from '../../features/settings/components/security-panel.tsx';
import { lazyPart } from '../../shared/lib/lazy-part.tsx';
import { usePerson } from '../../shared/lib/session/session-context.tsx';
import { useDocumentTitle } from '../../shared/lib/use-document-title.ts';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { PageBody } from './page-body.tsx';

const tabNames = ['personal', 'security', 'billing', 'data'] as const;

const TransferTab = lazyPart(
  () => import('../organiser/transfer-tab.tsx'),
  (module) => module.TransferTab,
);
const DataPanel = lazyPart(
  () => import('../../features/account-life/components/data-panel.tsx'),
  (module) => module.DataPanel,
);

/** /profile: personal data, security, billing (?tab=billing), data (?tab=data). */
export function ProfilePage() {
  useDocumentTitle('Perfil');
  const person = usePerson();
  const { tab = 'personal', deleting } = useSearch({ from: '/shell/profile' });
  const navigate = useNavigate();
  const signInWithGoogle = useSignInWithGoogle();
  if (!person) return null;
  const open = (value: string) => {
    const name = tabNames.find((known) => known === value);
    void navigate({ to: '/profile', search: { tab: name }, replace: true });
  };
  const tabs = [
    { value: 'personal', label: 'Dados pessoais', content: <PersonalPanel person={person} /> },
    {
      value: 'security',
      label: 'Segurança',
      content: (
        <div className="max-w-md">
          <SecurityPanel email={person.email} />
        </div>
      ),
    },
    { value: 'billing', label: 'Faturamento', content: tab === 'billing' ? <BillingPanel /> : null },
    {
      value: 'data',
      label: 'Dados',
      content:
        tab === 'data' ? (
          <Suspense fallback={<Spinner />}>
            <div className="flex flex-col gap-6">
              <TransferTab />
              <div className="border-t border-line pt-5">
                <DataPanel
                  person={person}
                  deleting={deleting}
                  onDeletionLeft={() => open('data')}
                  signInWithGoogle={signInWithGoogle}
                />
              </div>
            </div>
          </Suspense>
        ) : null,
    },
  ];
  return (
    <PageBody title="Perfil">
      <div className="max-w-prose">
        <Tabs label="Perfil" tabs={tabs} value={tab} onChange={open} />
      </div>
    </PageBody>
  );
}
