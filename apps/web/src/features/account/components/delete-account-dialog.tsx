import { DELETION_WORD } from '@linkoteca/domain/account-life';
import { ACCOUNT_LIFE_MESSAGES } from '@linkoteca/domain/messages/account-life-messages';
import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useCaptcha } from '../../../shared/lib/captcha/use-captcha.tsx';
import { useOnline } from '../../../shared/lib/connection/connection-context.tsx';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { DialogActions } from '../../../shared/ui/dialogs/dialog-actions.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { PasswordField } from '../../../shared/ui/fields/password-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import {
  DeletionRefused,
  DeletionUnclear,
  SignInTooOld,
  useDeleteAccount,
  WrongPassword,
} from '../api/delete-account.ts';
import { useHasFactor } from '../api/factors.ts';
import { type FreshSignIn, SignInAgain } from './sign-in-again.tsx';

const words = ACCOUNT_LIFE_MESSAGES.deletion;

interface DeleteAccountDialogProps {
  readonly open: boolean;
  readonly email: string;
  readonly hasPassword: boolean;
  /** Where to go when the last sign-in is too old. */
  readonly freshSignIn: FreshSignIn;
  readonly onClose: () => void;
  /** The account is closed; it can be had back until then (RFC 3339). */
  readonly onDeleted: (until: string) => void;
}

/** Says what goes, and asks for a typed word and, where there is no second factor, the password before anything does. */
export function DeleteAccountDialog({ open, onClose, ...rest }: DeleteAccountDialogProps) {
  const [busy, setBusy] = useState(false);
  return (
    // What is under way cannot be taken back: the dialog waits with the person.
    <Dialog open={open} onClose={() => (busy ? undefined : onClose())} title={words.dialogTitle}>
      <DeleteAccountForm {...rest} onClose={onClose} onBusyChange={setBusy} />
    </Dialog>
  );
}

type DeleteAccountFormProps = Omit<DeleteAccountDialogProps, 'open'> & {
  readonly onBusyChange: (busy: boolean) => void;
};

function DeleteAccountForm({
  email,
  hasPassword,
  freshSignIn,
  onClose,
  onDeleted,
  onBusyChange,
}: DeleteAccountFormProps) {
  const online = useOnline();
  const captcha = useCaptcha();
  const deletion = useDeleteAccount();
  // Where there is a second factor, a recent sign-in counts instead.
  const asksPassword = !useHasFactor() && hasPassword;
  const [problem, setProblem] = useState<string | null>(null);
  const [isTooOld, setIsTooOld] = useState(false);
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { word: '', password: '' },
  });
  const { errors } = formState;

  const submit = useSingleFlight(async ({ password }: { readonly password: string }) => {
    setProblem(null);
    setIsTooOld(false);
    onBusyChange(true);
    try {
      onDeleted(
        await deletion.mutateAsync(
          asksPassword ? { email, password, captcha: await captcha.take() } : { email },
        ),
      );
    } catch (error) {
      if (error instanceof WrongPassword)
        setError('password', { message: ACCOUNT_MESSAGES.password.wrongCurrent }, { shouldFocus: true });
      else if (error instanceof SignInTooOld) setIsTooOld(true);
      else setProblem(describeFailure(error));
    } finally {
      onBusyChange(false);
    }
  });

  return (
    <form onSubmit={handleSubmit(submit)} noValidate className="flex flex-col gap-4">
      <ul className="flex flex-col gap-1.5 text-base text-ink-soft">
        {words.consequences.map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </ul>
      {isTooOld ? <SignInAgain {...freshSignIn} /> : null}
      {problem ? <Notice tone="danger">{problem}</Notice> : null}
      {online ? null : <Notice tone="warning">{words.offline}</Notice>}
      <TextField
        {...register('word', { validate: (word) => word.trim() === DELETION_WORD || words.wordWrong })}
        label={words.word}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={errors.word?.message}
      />
      {asksPassword ? (
        <>
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordField
            {...register('password', { required: words.passwordRequired })}
            label={words.password}
            autoComplete="current-password"
            error={errors.password?.message}
          />
          {captcha.field}
        </>
      ) : null}
      <DialogActions>
        <Button onClick={onClose} disabled={deletion.isPending}>
          Cancelar
        </Button>
        <Button
          type="submit"
          variant="danger"
          busy={deletion.isPending}
          busyLabel={words.working}
          disabled={!online}
        >
          {words.confirm}
        </Button>
      </DialogActions>
    </form>
  );
}

function describeFailure(error: unknown): string {
  if (error instanceof DeletionUnclear) return words.unclear;
  if (error instanceof DeletionRefused) return error.message;
  return describeError(error, words.failed);
}
