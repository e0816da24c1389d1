import { describeRefusal } from '../../../shared/lib/describe-refusal.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { type FeedSubject, useFeedKey, useOpenFeed } from '../api/feed.ts';
import { FEED_MESSAGES as TEXT } from '../model/feed-messages.ts';
import { FeedAddress } from './feed-address.tsx';

interface FeedDialogProps {
  readonly open: boolean;
  readonly subject: FeedSubject;
  /** Of the category or the search. */
  readonly name: string;
  readonly onClose: () => void;
}

/** The secret address by which a category or a saved search is followed: made, copied, changed and ended. */
export function FeedDialog({ open, subject, name, onClose }: FeedDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={TEXT.title} description={<bdi>{name}</bdi>}>
      {open ? <Feed subject={subject} /> : null}
    </Dialog>
  );
}

function Feed({ subject }: { readonly subject: FeedSubject }) {
  const feed = useFeedKey(subject);
  const create = useOpenFeed(subject);
  const begin = async () => {
    try {
      await create.mutateAsync({ renew: false });
    } catch (error) {
      toast.error(describeRefusal(error, TEXT.createFailed));
    }
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="text-base text-ink-soft">
        {TEXT.what} {TEXT.secret}
      </p>
      {feed.data ? (
        <FeedAddress subject={subject} feedKey={feed.data} />
      ) : feed.isError ? (
        <LoadError
          title={TEXT.loadFailed}
          description={TEXT.loadFailedWhy}
          onRetry={() => void feed.refetch()}
        />
      ) : feed.isPending ? (
        <Skeleton className="h-10 w-full" />
      ) : (
        <Button
          variant="primary"
          className="self-start max-md:self-stretch"
          busy={create.isPending}
          busyLabel={TEXT.creating}
          onClick={() => void begin()}
        >
          {TEXT.create}
        </Button>
      )}
    </div>
  );
}
