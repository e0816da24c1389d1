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

/**
 * Puts on the clipboard what is known only later: call it within the press that asks for it.
 * @param text null for nothing to copy after all.
 * @returns whether it is on the clipboard; a browser may refuse.
 */
export async function copyPromised(text: Promise<string | null>): Promise<boolean> {
  const wanted = text.then((value) => value ?? Promise.reject(new Error('nothing to copy')));
  // A page over plain http has no clipboard that would hear of it.
  wanted.catch(() => undefined);
  try {
    if (typeof ClipboardItem === 'undefined') await navigator.clipboard.writeText(await wanted);
    else await navigator.clipboard.write([new ClipboardItem({ 'text/plain': wanted })]);
    return true;
  } catch {
    return false;
  }
}
