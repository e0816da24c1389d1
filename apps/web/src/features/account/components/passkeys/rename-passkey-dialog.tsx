import type { PasskeyListItem } from '@supabase/auth-js';
import { type FormEvent, useState } from 'react';
import { describeError } from '../../../../shared/lib/describe-error.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { DialogActions } from '../../../../shared/ui/dialogs/dialog-actions.tsx';
import { TextField } from '../../../../shared/ui/fields/text-field.tsx';
import { useRenamePasskey } from '../../api/passkeys.ts';
import { PASSKEY_MESSAGES as TEXT } from '../../model/passkey-messages.ts';

interface RenamePasskeyDialogProps {
  readonly passkey: PasskeyListItem;
  readonly onClose: () => void;
}

/** Another name for a passkey. */
export function RenamePasskeyDialog({ passkey, onClose }: RenamePasskeyDialogProps) {
  const rename = useRenamePasskey();
  const [name, setName] = useState(passkey.friendly_name ?? '');
  const [error, setError] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === '') return setError(TEXT.nameMissing);
    if (rename.isPending) return;
    try {
      await rename.mutateAsync({ passkeyId: passkey.id, name: wanted });
      onClose();
    } catch (failure) {
      setError(describeError(failure, TEXT.renameFailed));
    }
  };
  return (
    <Dialog open onClose={onClose} title={TEXT.renameTitle}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          autoFocus
          label={TEXT.nameLabel}
          value={name}
          maxLength={100}
          onChange={(event) => {
            setName(event.target.value);
            setError(undefined);
          }}
          error={error}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" variant="primary" busy={rename.isPending} busyLabel={TEXT.saving}>
            {TEXT.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
