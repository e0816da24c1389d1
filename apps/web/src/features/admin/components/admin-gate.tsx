import { Link } from '@tanstack/react-router';
import { ShieldAlert, ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDocumentTitle } from '../../../shared/lib/browser/use-document-title.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { EmptyState } from '../../../shared/ui/feedback/empty-state.tsx';
import { FullScreenSpinner } from '../../../shared/ui/feedback/full-screen-spinner.tsx';
import { useAdminCheck } from '../api/use-admin-check.ts';
import { ADMIN_MESSAGES } from '../model/admin-messages.ts';

const { gate } = ADMIN_MESSAGES;

/** Lets the administrator in. Checking, then granted, denied or error (specification, section 4). For signed-in people. */
export function AdminGate({ children }: { readonly children: ReactNode }) {
  const check = useAdminCheck();
  if (check.data === true) return children;
  if (check.data === false) return <AccessDenied signedIn />;
  // Without network there is nobody to ask.
  if (check.isError || check.fetchStatus === 'paused')
    return <CheckFailed onRetry={() => void check.refetch()} />;
  return <CheckingAccess />;
}

/** While it is not known who is there. */
export function CheckingAccess() {
  return <FullScreenSpinner label={gate.checking} />;
}

/** What everybody but the administrator sees, with the way back to where they belong. */
export function AccessDenied({ signedIn }: { readonly signedIn: boolean }) {
  useDocumentTitle(gate.denied.title);
  const way = buttonClassName('primary', 'large');
  return (
    <main className="admin-gate">
      <EmptyState
        heading={1}
        icon={<ShieldX aria-hidden />}
        title={gate.denied.title}
        description={
          <>
            <p>{gate.denied.description}</p>
            <p>{gate.denied.support}</p>
            <SupportLink />
          </>
        }
        action={
          signedIn ? (
            <Link to="/dashboard" className={way}>
              Ir para o painel
            </Link>
          ) : (
            // The front page is the server's own: it is loaded, not routed to.
            <a href="/" className={way}>
              Ir para o início
            </a>
          )
        }
      />
    </main>
  );
}

/** To write to whoever runs this installation; where it names no address, to the page that does. */
function SupportLink() {
  const { supportEmail } = useBackend().config;
  return (
    <a href={supportEmail ? `mailto:${supportEmail}` : '/terms'} className="admin-link">
      {supportEmail ?? gate.denied.supportLink}
    </a>
  );
}

function CheckFailed({ onRetry }: { readonly onRetry: () => void }) {
  useDocumentTitle('Administração');
  return (
    <main className="admin-gate" role="alert">
      <EmptyState
        heading={1}
        icon={<ShieldAlert aria-hidden />}
        title={gate.failed.title}
        description={
          <>
            <p>{gate.failed.description}</p>
            <SupportLink />
          </>
        }
        action={
          <div className="admin-actions">
            <Button variant="primary" size="large" onClick={onRetry}>
              Tentar de novo
            </Button>
            <Link to="/dashboard" className={buttonClassName('secondary', 'large')}>
              Ir para o painel
            </Link>
          </div>
        }
      />
    </main>
  );
}
