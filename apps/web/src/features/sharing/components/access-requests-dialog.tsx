import { ACCESS_ANSWER_MESSAGES as words } from '@linkoteca/domain/messages/access-request-messages';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { useAccessRequests } from '../api/access-requests.ts';
import { AccessRequestList } from './access-request-list.tsx';

interface AccessRequestsDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onGate: () => void;
}

/** All requests that wait for the person's answer, of whichever category. */
export function AccessRequestsDialog({ open, onClose, onGate }: AccessRequestsDialogProps) {
  const query = useAccessRequests();
  return (
    <Dialog open={open} width="wide" title={words.title} description={words.lead} onClose={onClose}>
      {query.data ? (
        query.data.length > 0 ? (
          <AccessRequestList requests={query.data} withCategory onGate={onGate} />
        ) : (
          <p className="text-base text-ink-soft">{words.none}</p>
        )
      ) : query.isError ? (
        <LoadError
          title={words.loadFailed}
          description={words.tryAgain}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Skeleton className="h-16 w-full" />
      )}
    </Dialog>
  );
}
