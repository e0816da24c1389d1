import { OFFLINE_MESSAGES } from '@linkoteca/domain/offline-messages';
import { toast } from '../../../shared/ui/toast.ts';

let shown: string | null = null;

/** Offers the new version, quietly and until it is taken or put aside. `take` begins it. */
export function offerNewVersion(take: () => void): void {
  const { title, description, action } = OFFLINE_MESSAGES.newVersion;
  if (shown !== null) toast.close(shown);
  shown = toast.info(title, description, { timeoutMs: 0, action: { label: action, onPress: take } });
}
