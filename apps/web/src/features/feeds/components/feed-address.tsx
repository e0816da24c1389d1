import { useState } from 'react';
import { copyLink } from '../../../shared/lib/browser/copy-link.ts';
import { describeRefusal } from '../../../shared/lib/describe-refusal.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { type FeedSubject, useCloseFeed, useOpenFeed } from '../api/feed.ts';
import { FEED_MESSAGES as TEXT } from '../model/feed-messages.ts';

const QUESTIONS = {
  change: {
    title: TEXT.changeQuestion,
    description: TEXT.changeWhy,
    confirmLabel: TEXT.changeConfirm,
    busyLabel: TEXT.changing,
    done: TEXT.changed,
    failed: TEXT.changeFailed,
  },
  end: {
    title: TEXT.endQuestion,
    description: TEXT.endWhy,
    confirmLabel: TEXT.endConfirm,
    busyLabel: TEXT.ending,
    done: TEXT.ended,
    failed: TEXT.endFailed,
  },
} as const;

interface FeedAddressProps {
  readonly subject: FeedSubject;
  readonly feedKey: string;
}

/** The address, to be copied, changed or ended; the last two after a question. */
export function FeedAddress({ subject, feedKey }: FeedAddressProps) {
  const renewal = useOpenFeed(subject);
  const ending = useCloseFeed(subject);
  const [asked, setAsked] = useState<keyof typeof QUESTIONS>('change');
  const [open, setOpen] = useState(false);
  const address = `${window.location.origin}/feed/${feedKey}/atom.xml`;
  const { done, failed, ...question } = QUESTIONS[asked];
  const ask = (act: keyof typeof QUESTIONS) => {
    setAsked(act);
    setOpen(true);
  };
  const confirm = async () => {
    try {
      await (asked === 'change' ? renewal.mutateAsync({ renew: true }) : ending.mutateAsync());
      toast.success(done);
    } catch (error) {
      toast.error(describeRefusal(error, failed));
    } finally {
      setOpen(false);
    }
  };
  return (
    <>
      <input
        readOnly
        aria-label={TEXT.address}
        value={address}
        onFocus={(event) => event.target.select()}
        className="h-10 w-full rounded border border-edge bg-surface px-3 font-mono text-sm text-ink pointer-coarse:h-11"
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void copyLink(address)}>
          {TEXT.copy}
        </Button>
        <Button onClick={() => ask('change')}>{TEXT.change}</Button>
        <Button variant="quiet" onClick={() => ask('end')}>
          {TEXT.end}
        </Button>
      </div>
      <ConfirmDialog
        {...question}
        open={open}
        busy={renewal.isPending || ending.isPending}
        onCancel={() => setOpen(false)}
        onConfirm={() => void confirm()}
      />
    </>
  );
}
