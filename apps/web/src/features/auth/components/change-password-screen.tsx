import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type NewPasswordForm, newPasswordSchema } from '@linkoteca/domain/fields';
import { DELAY_MS, PASSWORD_MINIMUM } from '@linkoteca/domain/limits';
import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useDocumentTitle } from '../../../shared/lib/browser/use-document-title.ts';
import { describeWeakPassword } from '../../../shared/lib/describe-weak-password.ts';
import type { Person } from '../../../shared/lib/session/read-person.ts';
import { useSession } from '../../../shared/lib/session/session-context.tsx';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { FullScreenSpinner } from '../../../shared/ui/feedback/full-screen-spinner.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { PasswordField } from '../../../shared/ui/fields/password-field.tsx';
import { PasswordHint } from '../../../shared/ui/fields/password-hint.tsx';
import { useRedeemReset } from '../api/use-redeem-reset.ts';
import { useSetPassword } from '../api/use-set-password.ts';
import { describeAuthError, readAuthProblem } from '../model/describe-auth-error.ts';
import { AuthLayout } from './auth-layout.tsx';
import { SecondStepForm } from './second-step-form.tsx';
import { textLinkClassName } from './text-link-class-name.ts';

const RESET = { title: 'Criar nova senha', lead: 'Escolha a senha que vale daqui em diante.' };
const INVITATION = {
  title: 'Criar sua senha',
  lead: 'Você recebeu um convite: escolha a senha da sua conta.',
};

/**
 * Choose a new password, after a reset link or while signed in, or the first one, by an invitation; then on to the dashboard after
 * 2 s. The mail's token is spent when the form is sent, in whatever browser: opening the page, as mail scanners do, spends nothing.
 */
export function ChangePasswordScreen() {
  const { token_hash: tokenHash, type } = useSearch({ from: '/change-password' });
  const { title, lead } = type === 'invite' ? INVITATION : RESET;
  useDocumentTitle(title);
  const session = useSession();
  const navigate = useNavigate();
  const [done, setDone] = useState(false);

  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(
      () => void navigate({ to: '/dashboard', replace: true }),
      DELAY_MS.changePasswordRedirect,
    );
    return () => clearTimeout(timer);
  }, [done, navigate]);

  if (session.status === 'loading') return <FullScreenSpinner />;
  if (session.status === 'signed-out' && tokenHash === undefined)
    return <Navigate to="/login" search={{}} replace />;
  // Whose the link is, only the service knows: not always whoever is signed in here.
  const person = session.status === 'signed-in' && tokenHash === undefined ? session.person : undefined;
  // What was typed stays while a second factor is proven.
  const pending = session.status === 'signed-in' && tokenHash === undefined && session.pending.length > 0;
  return (
    <AuthLayout title={title} lead={pending ? 'Antes, confirme que é você.' : (person?.email ?? lead)}>
      {pending ? <SecondStepForm /> : null}
      {done ? (
        <Notice tone="success">Pronto! Sua nova senha já vale. Levando você à sua biblioteca...</Notice>
      ) : (
        <div hidden={pending}>
          <ChangePasswordForm
            person={person}
            tokenHash={tokenHash}
            type={type}
            onDone={() => setDone(true)}
          />
        </div>
      )}
    </AuthLayout>
  );
}

interface ChangePasswordFormProps {
  /** Where it is known whose password it is. */
  readonly person: Person | undefined;
  /** A mail's, not yet spent. */
  readonly tokenHash: string | undefined;
  /** Of that mail; any other than an invitation's is a reset's. */
  readonly type: 'invite' | undefined;
  readonly onDone: () => void;
}

/** The new password, twice. The hidden e-mail lets password managers update the right entry. */
export function ChangePasswordForm({ person, tokenHash, type, onDone }: ChangePasswordFormProps) {
  const setPassword = useSetPassword();
  const redeemReset = useRedeemReset();
  const navigate = useNavigate();
  const [expired, setExpired] = useState(false);
  const { register, handleSubmit, formState, control, setError, reset } = useForm({
    resolver: standardSchemaResolver(newPasswordSchema),
    defaultValues: { password: '', confirmPassword: '' },
  });
  const personId = person?.id;
  const typedBy = useRef(personId);
  useEffect(() => {
    if (personId === undefined) return;
    // Somebody else signed in by another tab: what the one typed must not become the other's password.
    if (typedBy.current !== undefined && typedBy.current !== personId) reset();
    typedBy.current = personId;
  }, [personId, reset]);
  const submit = useSingleFlight(async ({ password }: NewPasswordForm) => {
    try {
      if (tokenHash !== undefined) {
        await redeemReset(tokenHash, type ?? 'recovery');
        // Spent: whatever comes next, the session is there, and the address keeps no secret.
        void navigate({ to: '/change-password', search: { type }, replace: true });
      }
      await setPassword(password);
      toast.success(ACCOUNT_MESSAGES.password.saved);
      onDone();
    } catch (error) {
      // The form for it is there by now, in place of this one.
      if (readAuthProblem(error) === 'second-step') return;
      setExpired(readAuthProblem(error) === 'link-expired');
      const weakness = describeWeakPassword(error);
      if (weakness) setError('password', { message: weakness }, { shouldFocus: true });
      toast.error(
        ACCOUNT_MESSAGES.reset.changeFailed,
        describeAuthError(error, 'Não foi possível alterar sua senha. Tente de novo.'),
      );
    }
  });
  const email = person?.email;
  const password = useWatch({ control, name: 'password' }) ?? '';
  return (
    <form onSubmit={handleSubmit(submit)} noValidate className="flex flex-col gap-4">
      {expired ? (
        <Notice
          tone="danger"
          action={
            <Link to="/reset-password" className={`hit-area ${textLinkClassName}`}>
              Pedir um novo link
            </Link>
          }
        >
          Este link expirou ou já foi usado.
        </Notice>
      ) : null}
      {email === undefined ? null : (
        <input type="email" autoComplete="username" value={email} readOnly hidden />
      )}
      <PasswordField
        {...register('password')}
        label="Nova senha"
        autoComplete="new-password"
        error={formState.errors.password?.message}
        hint={
          formState.errors.password ? undefined : (
            <PasswordHint
              password={password}
              minimum={PASSWORD_MINIMUM.account}
              about={email === undefined ? [] : [email]}
            />
          )
        }
      />
      <PasswordField
        {...register('confirmPassword')}
        label="Confirme a nova senha"
        autoComplete="new-password"
        error={formState.errors.confirmPassword?.message}
      />
      <Button
        type="submit"
        variant="primary"
        size="large"
        busy={formState.isSubmitting}
        busyLabel="Salvando..."
      >
        Salvar nova senha
      </Button>
    </form>
  );
}
