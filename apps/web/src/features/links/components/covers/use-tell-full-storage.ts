import {
  COVER_MESSAGES,
  describeFullCovers,
  isStorageLargest,
} from '@linkoteca/domain/messages/cover-messages';
import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { useNavigate } from '@tanstack/react-router';
import type { FullStorageError } from '../../../../shared/lib/supabase/file-storage.ts';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { useCoverQueue } from '../../api/covers/use-cover.ts';

/** Those to whom it was said already. */
const told = new WeakSet<object>();

/** Says that the plan's storage is full, and the way to more where there is more: by itself once, and whenever somebody asked. */
export function useTellFullStorage() {
  const navigate = useNavigate();
  const queue = useCoverQueue();
  return ({ megabytes }: FullStorageError, when: 'once' | 'again') => {
    if (when === 'once' && told.has(queue)) return;
    told.add(queue);
    const seePlans = { label: PLAN_MESSAGES.seePlans, onPress: () => void navigate({ to: '/plans' }) };
    toast.info(COVER_MESSAGES.full, describeFullCovers(megabytes), {
      id: 'covers-full',
      ...(isStorageLargest(megabytes) ? {} : { action: seePlans }),
    });
  };
}
