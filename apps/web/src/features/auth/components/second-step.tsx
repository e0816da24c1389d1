import { useDocumentTitle } from '../../../shared/lib/browser/use-document-title.ts';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { useSignOut } from '../api/use-sign-out.ts';
import { AuthLayout } from './auth-layout.tsx';
import { SecondStepForm } from './second-step-form.tsx';

/** In place of whatever somebody wanted to open, until they have proven a second factor; then that opens. */
export function SecondStep() {
  useDocumentTitle('Confirme que é você');
  const person = usePerson();
  const { leaving, signOut } = useSignOut();
  return (
    <AuthLayout title="Confirme que é você" lead={person?.email}>
      <SecondStepForm />
      <p className="mt-6 flex flex-wrap items-center gap-x-2 text-base text-ink-soft">
        Não é você?
        <Button
          size="small"
          variant="quiet"
          busy={leaving}
          busyLabel="Saindo..."
          onClick={() => void signOut()}
        >
          Sair e entrar com outra conta
        </Button>
      </p>
    </AuthLayout>
  );
}
