import { type FormEvent, useState } from 'react';
import { describeError } from '../../../../shared/lib/describe-error.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { DialogActions } from '../../../../shared/ui/dialogs/dialog-actions.tsx';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { TextField } from '../../../../shared/ui/fields/text-field.tsx';
import { useAddKey } from '../../api/factors.ts';
import { FACTOR_MESSAGES as TEXT } from '../../model/factor-messages.ts';

interface AddKeyDialogProps {
  /** Names that other factors have. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
  /** The key counts now. */
  readonly onDone: () => void;
}

/** What to call the key; then the browser asks for it. */
export function AddKeyDialog({ taken, onClose, onDone }: AddKeyDialogProps) {
  const add = useAddKey();
  const [name, setName] = useState(() => (taken.includes(TEXT.keyNameDefault) ? '' : TEXT.keyNameDefault));
  const [error, setError] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    const fault =
      wanted === '' ? TEXT.keyNameMissing : taken.includes(wanted) ? TEXT.keyNameTaken : undefined;
    setError(fault);
    if (fault !== undefined || add.isPending) return;
    try {
      await add.mutateAsync(wanted);
      toast.success(TEXT.done, TEXT.doneWhy);
      onDone();
    } catch (failure) {
      setError(describeKeyFailure(failure));
    }
  };
  return (
    <Dialog open onClose={onClose} title={TEXT.keyTitle} description={TEXT.keyLead}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          label={TEXT.nameLabel}
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.target.value)}
          error={error}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" variant="primary" busy={add.isPending} busyLabel={TEXT.keyAsking}>
            {TEXT.next}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function describeKeyFailure(failure: unknown): string {
  const { name, code } = failure as { name?: unknown; code?: unknown };
  if (name === 'NotAllowedError') return TEXT.keyRefused;
  if (name === 'InvalidStateError') return TEXT.keyKnown;
  if (code === 'mfa_factor_name_conflict') return TEXT.keyNameTaken;
  if (code === 'too_many_enrolled_mfa_factors') return TEXT.keyTooMany;
  return describeError(failure, TEXT.keyFailed);
}
