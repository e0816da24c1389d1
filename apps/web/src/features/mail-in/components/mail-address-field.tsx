import { useState } from 'react';
import { copyPromised } from '../../../shared/lib/browser/copy-link.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useChangeMailAddress, useGiveUpMailAddress } from '../api/mail-address.ts';
import { MAIL_IN_MESSAGES as TEXT } from '../model/mail-in-messages.ts';

const QUESTIONS = {
  change: {
    title: TEXT.changeQuestion,
    description: TEXT.changeWhy,
    confirmLabel: TEXT.change,
    busyLabel: TEXT.changing,
    done: TEXT.changed,
    failed: TEXT.changeFailed,
  },
  giveUp: {
    title: TEXT.giveUpQuestion,
    description: TEXT.giveUpWhy,
    confirmLabel: TEXT.giveUp,
    busyLabel: TEXT.givingUp,
    done: TEXT.gaveUp,
    failed: TEXT.giveUpFailed,
  },
} as const;

interface MailAddressFieldProps {
  readonly address: string;
  /** Told when it has been given up, and this is gone from the page. */
  readonly onGone: () => void;
}

/** The address, to be copied, changed or given up; the last two after a question. */
export function MailAddressField({ address, onGone }: MailAddressFieldProps) {
  const acts = { change: useChangeMailAddress(), giveUp: useGiveUpMailAddress() };
  const [asked, setAsked] = useState<keyof typeof QUESTIONS>('change');
  const [open, setOpen] = useState(false);
  const ask = (act: keyof typeof QUESTIONS) => {
    setAsked(act);
    setOpen(true);
  };
  const { done, failed, ...question } = QUESTIONS[asked];
  const confirm = async () => {
    try {
      await acts[asked].mutateAsync();
      setOpen(false);
      if (asked === 'giveUp') onGone();
      toast.success(done);
    } catch (error) {
      setOpen(false);
      toast.error(describeError(error, failed));
    }
  };
  const copy = async () => {
    if (await copyPromised(Promise.resolve(address))) toast.success(TEXT.copied, TEXT.copiedWhy);
    else toast.error(TEXT.copyFailed);
  };
  return (
    <div className="flex flex-col gap-3">
      <div>
        <h3 className="text-base font-medium text-ink">{TEXT.address}</h3>
        <p className="text-sm text-ink-soft">{TEXT.secret}</p>
      </div>
      <code className="rounded bg-sunken px-3 py-2 text-sm wrap-anywhere select-all">{address}</code>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void copy()}>
          {TEXT.copy}
        </Button>
        <Button onClick={() => ask('change')}>{TEXT.change}</Button>
        <Button variant="quiet" onClick={() => ask('giveUp')}>
          {TEXT.giveUp}
        </Button>
      </div>
      <ConfirmDialog
        {...question}
        open={open}
        busy={acts[asked].isPending}
        onCancel={() => setOpen(false)}
        onConfirm={() => void confirm()}
      />
    </div>
  );
}
