import { ACCOUNT_MESSAGES } from '@linkoteca/domain/account-messages';
import { DEVICE_MESSAGES as TEXT } from '@linkoteca/domain/device-messages';
import { useState } from 'react';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useEndDevices } from '../api/use-end-devices.ts';

const left = ACCOUNT_MESSAGES.signOut.done;

type Scope = 'others' | 'global';

const QUESTIONS = {
  others: { title: TEXT.endOthersQuestion, description: TEXT.endOthersWhy, confirmLabel: TEXT.endOthers },
  global: { title: TEXT.endAllQuestion, description: TEXT.endAllWhy, confirmLabel: TEXT.endAll },
} as const;

/** Out of all other devices, or of all, after a question. `alone`: there is no other one. */
export function EndDevices({ alone }: { readonly alone: boolean }) {
  const end = useEndDevices();
  const [asked, setAsked] = useState<Scope>('others');
  const [open, setOpen] = useState(false);
  const ask = (scope: Scope) => {
    setAsked(scope);
    setOpen(true);
  };
  const confirm = async () => {
    try {
      await end.mutateAsync(asked);
      setOpen(false);
      if (asked === 'others') toast.success(TEXT.endedOthers);
      else toast.success(left.title, left.description);
    } catch (error) {
      toast.error(describeError(error, TEXT.endManyFailed));
    }
  };
  return (
    <div className="flex flex-wrap gap-2">
      {alone ? null : <Button onClick={() => ask('others')}>{TEXT.endOthers}</Button>}
      <Button onClick={() => ask('global')}>{TEXT.endAll}</Button>
      <ConfirmDialog
        {...QUESTIONS[asked]}
        open={open}
        busy={end.isPending}
        busyLabel={TEXT.ending}
        onCancel={() => setOpen(false)}
        onConfirm={() => void confirm()}
      />
    </div>
  );
}
