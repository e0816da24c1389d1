import { readPhoneNumber } from '@linkoteca/domain/phone-number';
import { type FormEvent, useState } from 'react';
import { describeError } from '../../../../shared/lib/describe-error.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { DialogActions } from '../../../../shared/ui/dialogs/dialog-actions.tsx';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { CodeField, LONGEST_CODE, readCode } from '../../../../shared/ui/fields/code-field.tsx';
import { TextField } from '../../../../shared/ui/fields/text-field.tsx';
import { useLeaveFactor } from '../../api/factors.ts';
import { type AskedPhone, useAskPhone, useBeginPhone, useConfirmPhone } from '../../api/phone-factors.ts';
import { FACTOR_MESSAGES as TEXT } from '../../model/factor-messages.ts';

interface AddPhoneDialogProps {
  /** Names that other factors have. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
  /** The phone counts now. */
  readonly onDone: () => void;
}

/** Two steps: the number, then the code that was texted to it. Leaving in between gives up what was begun. */
export function AddPhoneDialog({ taken, onClose, onDone }: AddPhoneDialogProps) {
  const [asked, setAsked] = useState<AskedPhone | null>(null);
  const leaveFactor = useLeaveFactor();
  const leave = () => {
    // Nothing hangs on it: what stays is given up the next time.
    if (asked) leaveFactor.mutate(asked.factorId);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={leave}
      title={TEXT.phoneTitle}
      description={asked ? TEXT.phoneCodeLead : TEXT.phoneLead}
    >
      {asked ? (
        <CodeStep asked={asked} onAsked={setAsked} onLeave={leave} onDone={onDone} />
      ) : (
        <NumberStep taken={taken} onLeave={leave} onAsked={setAsked} />
      )}
    </Dialog>
  );
}

interface NumberStepProps {
  readonly taken: readonly string[];
  readonly onLeave: () => void;
  readonly onAsked: (asked: AskedPhone) => void;
}

function NumberStep({ taken, onLeave, onAsked }: NumberStepProps) {
  const begin = useBeginPhone();
  const [number, setNumber] = useState('');
  const [error, setError] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const phone = readPhoneNumber(number);
    setError(phone === null ? TEXT.phoneInvalid : undefined);
    if (phone === null || begin.isPending) return;
    const name = TEXT.phoneName(phone.slice(-4));
    try {
      const friendlyName = taken.includes(name) ? `${name} (${phone})` : name;
      onAsked(await begin.mutateAsync({ phone, friendlyName }));
    } catch (failure) {
      setError(describePhoneFailure(failure));
    }
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        autoFocus
        label={TEXT.phoneLabel}
        type="tel"
        autoComplete="tel"
        value={number}
        maxLength={30}
        onChange={(event) => {
          setNumber(event.target.value);
          setError(undefined);
        }}
        error={error}
        hint={error ? undefined : TEXT.phoneHint}
      />
      <DialogActions>
        <Button onClick={onLeave}>Cancelar</Button>
        <Button type="submit" variant="primary" busy={begin.isPending} busyLabel={TEXT.phoneSending}>
          {TEXT.phoneSend}
        </Button>
      </DialogActions>
    </form>
  );
}

interface CodeStepProps {
  readonly asked: AskedPhone;
  readonly onAsked: (asked: AskedPhone) => void;
  readonly onLeave: () => void;
  readonly onDone: () => void;
}

function CodeStep({ asked, onAsked, onLeave, onDone }: CodeStepProps) {
  const confirm = useConfirmPhone();
  const again = useAskPhone();
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (confirm.isPending) return;
    if (code === '') return setError(TEXT.phoneCodeMissing);
    try {
      await confirm.mutateAsync({ ...asked, code });
      toast.success(TEXT.done, TEXT.doneWhy);
      onDone();
    } catch (failure) {
      setError(describePhoneFailure(failure));
      setCode('');
    }
  };
  const askAgain = async () => {
    try {
      onAsked(await again.mutateAsync(asked.factorId));
      setError(undefined);
      toast.success(TEXT.phoneSent);
    } catch (failure) {
      setError(describePhoneFailure(failure));
    }
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col items-start gap-2">
      <CodeField
        autoFocus
        label={TEXT.phoneCodeLabel}
        value={code}
        onChange={(event) => {
          setCode(readCode(event.target.value, LONGEST_CODE));
          setError(undefined);
        }}
        error={error}
      />
      <Button
        size="small"
        variant="quiet"
        busy={again.isPending}
        busyLabel={TEXT.phoneSending}
        onClick={() => void askAgain()}
      >
        {TEXT.phoneAgain}
      </Button>
      <DialogActions>
        <Button onClick={onLeave}>Cancelar</Button>
        <Button type="submit" variant="primary" busy={confirm.isPending} busyLabel={TEXT.confirming}>
          {TEXT.confirm}
        </Button>
      </DialogActions>
    </form>
  );
}

function describePhoneFailure(failure: unknown): string {
  const { code } = failure as { code?: unknown };
  if (code === 'mfa_verification_failed' || code === 'mfa_challenge_expired') return TEXT.phoneCodeWrong;
  if (code === 'mfa_verified_factor_exists') return TEXT.phoneKnown;
  if (code === 'too_many_enrolled_mfa_factors') return TEXT.keyTooMany;
  if (code === 'over_sms_send_rate_limit') return TEXT.phoneTooSoon;
  if (code === 'sms_send_failed') return TEXT.phoneUnsent;
  return describeError(failure, TEXT.phoneFailed);
}
