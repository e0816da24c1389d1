import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { type FormEvent, useState } from 'react';
import { useCaptcha } from '../../../../shared/lib/captcha/use-captcha.tsx';
import { describeError } from '../../../../shared/lib/describe-error.ts';
import { useSignInWays } from '../../../../shared/sign-in/use-sign-in-ways.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { DialogActions } from '../../../../shared/ui/dialogs/dialog-actions.tsx';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { PasswordField } from '../../../../shared/ui/fields/password-field.tsx';
import { TextField } from '../../../../shared/ui/fields/text-field.tsx';
import { useHasFactor } from '../../api/factors.ts';
import { useAddPasskey } from '../../api/passkeys.ts';
import { WrongCurrentPassword } from '../../api/password.ts';
import { PASSKEY_MESSAGES as TEXT } from '../../model/passkey-messages.ts';

interface AddPasskeyDialogProps {
  readonly email: string;
  readonly onClose: () => void;
}

/** What to call the passkey; then the browser makes it. Whoever signed in long ago types the password as well. */
export function AddPasskeyDialog({ email, onClose }: AddPasskeyDialogProps) {
  const add = useAddPasskey();
  const captcha = useCaptcha();
  const { hasPassword } = useSignInWays();
  const hasFactor = useHasFactor();
  const [name, setName] = useState<string>(TEXT.nameDefault);
  const [isTooOld, setIsTooOld] = useState(false);
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<{ readonly of: 'name' | 'password'; readonly text: string }>();
  const errorOf = (field: 'name' | 'password') => (fault?.of === field ? fault.text : undefined);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (add.isPending) return;
    if (wanted === '') return setFault({ of: 'name', text: TEXT.nameMissing });
    if (isTooOld && password === '') return setFault({ of: 'password', text: TEXT.passwordMissing });
    setFault(undefined);
    try {
      const again = isTooOld ? { password: { email, text: password, ...(await captcha.take()) } } : {};
      await add.mutateAsync({ name: wanted, ...again });
      toast.success(TEXT.done, TEXT.doneWhy);
      onClose();
    } catch (failure) {
      const { code } = failure as { code?: unknown };
      if (failure instanceof WrongCurrentPassword)
        setFault({ of: 'password', text: ACCOUNT_MESSAGES.password.wrongCurrent });
      else if (code === 'reauthentication_needed' && hasPassword && !hasFactor) setIsTooOld(true);
      else setFault({ of: 'name', text: describePasskeyFailure(failure) });
    }
  };
  return (
    <Dialog open onClose={onClose} title={TEXT.dialogTitle} description={TEXT.dialogLead}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <TextField
          label={TEXT.nameLabel}
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.target.value)}
          error={errorOf('name')}
        />
        {isTooOld ? (
          <>
            <input type="email" autoComplete="username" value={email} readOnly hidden />
            <PasswordField
              autoFocus
              label={TEXT.passwordLabel}
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              error={errorOf('password')}
              hint={errorOf('password') ? undefined : TEXT.passwordWhy}
            />
            {captcha.field}
          </>
        ) : null}
        <DialogActions>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" variant="primary" busy={add.isPending} busyLabel={TEXT.asking}>
            {TEXT.next}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function describePasskeyFailure(failure: unknown): string {
  const { name, code } = failure as { name?: unknown; code?: unknown };
  if (name === 'NotAllowedError') return TEXT.refused;
  if (name === 'InvalidStateError' || code === 'webauthn_credential_exists') return TEXT.known;
  if (code === 'too_many_passkeys') return TEXT.tooMany;
  if (code === 'reauthentication_needed') return TEXT.signInAgain;
  return describeError(failure, TEXT.failed);
}
