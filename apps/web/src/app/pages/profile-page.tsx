import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { BillingPanel } from '../../features/account/components/billing-panel.tsx';
import { PersonalPanel } from '../../features/account/components/personal-panel.tsx';
import { SecurityPanel } from '../../features/account/components/security-panel.tsx';
import {
  PROFILE_TAB_NAMES,
  PROFILE_TABS,
  type ProfileTab,
} from '../../features/account/model/profile-tabs.ts';
import { useSignInWithProvider } from '../../features/auth/api/use-sign-in-with-provider.ts';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { useWideScreen } from '../../shared/lib/browser/use-narrow-screen.ts';
import { usePerson } from '../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../shared/lib/supabase/backend-context.tsx';
import { Spinner } from '../../shared/ui/feedback/spinner.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { PageBody } from './page-body.tsx';

const TransferTab = lazyPart(
  () => import('../organiser/transfer-tab.tsx'),
  (module) => module.TransferTab,
);
const RepeatedLinksSection = lazyPart(
  () => import('../organiser/repeated-links/repeated-links-section.tsx'),
  (module) => module.RepeatedLinksSection,
);
const BrokenLinksSection = lazyPart(
  () => import('../organiser/link-checks/broken-links-section.tsx'),
  (module) => module.BrokenLinksSection,
);
const ProgramsPanel = lazyPart(
  () => import('../../features/programs/components/programs-panel.tsx'),
  (module) => module.ProgramsPanel,
);
const WebhooksSection = lazyPart(
  () => import('../../features/webhooks/components/webhooks-section.tsx'),
  (module) => module.WebhooksSection,
);
const DataPanel = lazyPart(
  () => import('../../features/account/components/data-panel.tsx'),
  (module) => module.DataPanel,
);

/** /profile, with its panel in the address (?tab=billing). */
export function ProfilePage() {
  useDocumentTitle('Perfil');
  const person = usePerson();
  const { tab = 'personal', deleting } = useSearch({ from: '/shell/profile' });
  const navigate = useNavigate();
  const signInWith = useSignInWithProvider();
  const wide = useWideScreen();
  const { webhooks } = useBackend().config;
  if (!person) return null;
  const open = (name: ProfileTab) => void navigate({ to: '/profile', search: { tab: name }, replace: true });
  const contents: Readonly<Record<ProfileTab, ReactNode>> = {
    personal: <PersonalPanel person={person} />,
    security: (
      <div className="max-w-prose">
        <SecurityPanel email={person.email} />
      </div>
    ),
    billing: tab === 'billing' ? <BillingPanel /> : null,
    programs:
      tab === 'programs' ? (
        <Suspense fallback={<Spinner />}>
          <div className="flex flex-col gap-8">
            <ProgramsPanel />
            {webhooks ? <WebhooksSection /> : null}
          </div>
        </Suspense>
      ) : null,
    data:
      tab === 'data' ? (
        <Suspense fallback={<Spinner />}>
          <div className="flex flex-col gap-6">
            <TransferTab />
            <div className="border-t border-line pt-5">
              <DataPanel
                person={person}
                deleting={deleting}
                onDeletionLeft={() => open('data')}
                signInWith={signInWith}
              >
                <RepeatedLinksSection />
                <BrokenLinksSection />
              </DataPanel>
            </div>
          </div>
        </Suspense>
      ) : null,
  };
  const tabs = PROFILE_TAB_NAMES.map((value) => ({
    value,
    label: PROFILE_TABS[value],
    content: contents[value],
  }));
  return (
    <PageBody title="Perfil">
      <Tabs label="Perfil" tabs={tabs} value={tab} onChange={open} beside={wide} />
    </PageBody>
  );
}
