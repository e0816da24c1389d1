import { CAPTURE_MESSAGES } from '@linkoteca/domain/messages/capture-messages';
import { useState } from 'react';
import {
  addCaptures,
  changeCaptures,
  editCapture,
  removeCaptures,
} from '../../features/captures/api/outbox-store.ts';
import { useOutbox } from '../../features/captures/api/use-outbox.ts';
import { WaitingList } from '../../features/captures/components/waiting-list.tsx';
import type { WaitingCapture } from '../../features/captures/model/capture.ts';
import { useOnline } from '../../shared/lib/connection/connection-context.tsx';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { useLastRequest } from '../../shared/lib/writes/use-last-request.ts';
import { toast } from '../../shared/ui/feedback/toast.ts';
import { toastWithUndo } from '../../shared/ui/feedback/toast-with-undo.ts';
import { EditWaitingDialog } from './edit-waiting-dialog.tsx';

const placesOf = (captures: readonly WaitingCapture[]) => captures.map(({ place }) => place);
const sayNotKept = () => toast.error(CAPTURE_MESSAGES.notKept, CAPTURE_MESSAGES.notKeptWhy);

/** What waits on this device, where something does. */
export function WaitingSection() {
  const userId = useUserId();
  const online = useOnline();
  const captures = useOutbox(userId);
  const [editing, setEditing] = useState<WaitingCapture | null>(null);
  const last = useLastRequest(editing);

  const remove = async (gone: readonly WaitingCapture[]) => {
    await removeCaptures(userId, placesOf(gone));
    toastWithUndo(CAPTURE_MESSAGES.waiting.emptied, () => void addCaptures(userId, gone).catch(sayNotKept));
  };
  return (
    <>
      {captures.length > 0 ? (
        <WaitingList
          captures={captures}
          online={online}
          onRetry={(refused) =>
            void changeCaptures(userId, placesOf(refused), { refusal: null }).catch(sayNotKept)
          }
          onEdit={setEditing}
          onRemove={(gone) => void remove(gone).catch(sayNotKept)}
        />
      ) : null}
      {last ? (
        <EditWaitingDialog
          key={last.key}
          open={last.open}
          capture={last.request}
          onClose={() => setEditing(null)}
          onSave={async (change) => {
            await editCapture(userId, last.request, change).catch(sayNotKept);
            setEditing(null);
          }}
        />
      ) : null}
    </>
  );
}
