import { LINK_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { toast } from '../../ui/feedback/toast.ts';

/** Puts an address on the clipboard and says so; a browser may refuse, for one over plain http. */
export async function copyLink(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    toast.error(LINK_MESSAGES.copyFailed);
    return;
  }
  toast.success(LINK_MESSAGES.copied);
}
