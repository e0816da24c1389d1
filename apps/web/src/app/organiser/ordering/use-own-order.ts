import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { useQueryClient } from '@tanstack/react-query';
import type { OwnOrder } from '../../../features/links/model/ordering/own-order.ts';
import { useIdlePreload } from '../../../shared/lib/browser/use-idle-preload.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';

const loadActs = () => import('./order-acts.ts');

interface OrderedCategory {
  readonly id: string;
  readonly isOwn: boolean;
  readonly isManual: boolean;
}

/** The order that a category has of its own, and what changes it: code that comes in an idle moment. */
export function useOwnOrder({ id, isOwn, isManual }: OrderedCategory): OwnOrder {
  const scope = {
    database: useDatabase(),
    queryClient: useQueryClient(),
    userId: useUserId(),
    categoryId: id,
  };
  useIdlePreload(loadActs);
  const act = (run: (acts: Awaited<ReturnType<typeof loadActs>>) => unknown) =>
    void loadActs().then(run, () =>
      toast.error(OFFLINE_MESSAGES.codeMissing.title, OFFLINE_MESSAGES.codeMissing.offline),
    );
  return {
    on: isManual,
    set: isOwn ? (on) => act(({ setOrder }) => setOrder(scope, on)) : null,
    place: isOwn ? (placing) => act(({ placeLinks }) => placeLinks(scope, placing)) : null,
  };
}
