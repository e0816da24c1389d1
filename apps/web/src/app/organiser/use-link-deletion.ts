import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useIdlePreload } from '../../shared/lib/browser/use-idle-preload.ts';
import { useDatabase } from '../../shared/lib/supabase/backend-context.tsx';
import type { Deletion } from '../../shared/lib/writes/deletion.ts';
import { reserveUndo } from '../../shared/lib/writes/undo-history.ts';
import { toast } from '../../shared/ui/feedback/toast.ts';

const loadFollower = () => import('./use-undoable-deletion.ts');

/** Says how a deletion of links ends, and offers the way back. Its code comes in an idle moment: nobody deletes first. */
export function useLinkDeletion(): (deletion: Deletion) => void {
  const navigate = useNavigate();
  const backend = {
    database: useDatabase(),
    queryClient: useQueryClient(),
    openBin: () => void navigate({ to: '/lixeira' }),
  };
  useIdlePreload(loadFollower);
  return (deletion) => {
    // Told by whoever follows it; until then a refusal must not count as one that nobody heard.
    deletion.done.catch(() => undefined);
    const undoPlace = reserveUndo();
    void loadFollower().then(
      ({ followDeletion }) => followDeletion(backend, { ...deletion, itemType: 'link' }, undoPlace),
      () => {
        undoPlace.forget();
        toast.error(OFFLINE_MESSAGES.codeMissing.title, OFFLINE_MESSAGES.codeMissing.online);
      },
    );
  };
}
