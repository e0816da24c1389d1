import { type FormEvent, useState } from 'react';
import { describeError } from '../../../../shared/lib/describe-error.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { DialogActions } from '../../../../shared/ui/dialogs/dialog-actions.tsx';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { CODE_LENGTH, CodeField, readCode } from '../../../../shared/ui/fields/code-field.tsx';
import { TextField } from '../../../../shared/ui/fields/text-field.tsx';
import { type BegunFactor, useBeginFactor, useConfirmFactor, useLeaveFactor } from '../../api/factors.ts';
import { FACTOR_MESSAGES as TEXT } from '../../model/factor-messages.ts';
import { AppKey } from './app-key.tsx';

interface AddAppDialogProps {
  /** Names that other apps have. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
  /** The app counts now. */
  readonly onDone: () => void;
}

/** Two steps: what to call the app, then its code. Leaving in between gives up what was begun. */
export function AddAppDialog({ taken, onClose, onDone }: AddAppDialogProps) {
  const [begun, setBegun] = useState<BegunFactor | null>(null);
  const leaveFactor = useLeaveFactor();
  const leave = () => {
    // Nothing hangs on it: what stays is given up the next time.
    if (begun) leaveFactor.mutate(begun.factorId);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={leave}
      title={begun ? TEXT.scanTitle : TEXT.nameTitle}
      description={begun ? TEXT.scanLead : TEXT.nameLead}
    >
      {begun ? (
        <CodeStep begun={begun} onLeave={leave} onDone={onDone} />
      ) : (
        <NameStep taken={taken} onLeave={leave} onBegun={setBegun} />
      )}
    </Dialog>
  );
}

interface NameStepProps {
  readonly taken: readonly string[];
  readonly onLeave: () => void;
  readonly onBegun: (begun: BegunFactor) => void;
}

function NameStep({ taken, onLeave, onBegun }: NameStepProps) {
  const begin = useBeginFactor();
  const [name, setName] = useState(() => (taken.includes(TEXT.nameDefault) ? '' : TEXT.nameDefault));
  const [error, setError] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    const fault = wanted === '' ? TEXT.nameMissing : taken.includes(wanted) ? TEXT.nameTaken : undefined;
    setError(fault);
    if (fault !== undefined || begin.isPending) return;
    try {
      onBegun(await begin.mutateAsync(wanted));
    } catch (failure) {
      const { code } = failure as { code?: unknown };
      if (code === 'mfa_factor_name_conflict') setError(TEXT.nameTaken);
      else
        toast.error(
          code === 'too_many_enrolled_mfa_factors' ? TEXT.tooMany : describeError(failure, TEXT.startFailed),
        );
    }
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        label={TEXT.nameLabel}
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.target.value)}
        error={error}
      />
      <DialogActions>
        <Button onClick={onLeave}>Cancelar</Button>
        <Button type="submit" variant="primary" busy={begin.isPending} busyLabel={TEXT.starting}>
          {TEXT.next}
        </Button>
      </DialogActions>
    </form>
  );
}

interface CodeStepProps {
  readonly begun: BegunFactor;
  readonly onLeave: () => void;
  readonly onDone: () => void;
}

function CodeStep({ begun, onLeave, onDone }: CodeStepProps) {
  const confirm = useConfirmFactor();
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (confirm.isPending) return;
    if (code.length < CODE_LENGTH) return setError(TEXT.codeShort);
    try {
      await confirm.mutateAsync({ factorId: begun.factorId, code });
      toast.success(TEXT.done, TEXT.doneWhy);
      onDone();
    } catch (failure) {
      const wrong = (failure as { code?: unknown }).code === 'mfa_verification_failed';
      setError(wrong ? TEXT.codeWrong : describeError(failure, TEXT.confirmFailed));
      setCode('');
    }
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <img src={begun.qrCode} alt={TEXT.qrCode} className="mx-auto size-48 rounded-lg border border-line" />
      <a
        href={begun.uri}
        className="hit-area self-center rounded-sm text-sm font-medium text-accent-text hover:underline"
      >
        {TEXT.openHere}
      </a>
      <AppKey secret={begun.secret} />
      <CodeField
        autoFocus
        label={TEXT.codeLabel}
        value={code}
        onChange={(event) => {
          setCode(readCode(event.target.value));
          setError(undefined);
        }}
        error={error}
      />
      <DialogActions>
        <Button onClick={onLeave}>Cancelar</Button>
        <Button type="submit" variant="primary" busy={confirm.isPending} busyLabel={TEXT.confirming}>
          {TEXT.confirm}
        </Button>
      </DialogActions>
    </form>
  );
}
