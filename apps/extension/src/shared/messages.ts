import type { CaptureChange } from '../outbox/change-capture.ts';
import type { PageTab } from '../page/take-picture.ts';

/** The page that one of what waits is of, where it may have a picture. */
export interface SeenPage {
  /** Who saved it (`ownerOf`). */
  readonly owner: string;
  readonly linkId: string;
  readonly tab: PageTab;
}

/** What pages of the extension have the background do: it goes on when they are closed. */
export type Request =
  | { readonly kind: 'send-outbox'; readonly seen?: SeenPage }
  | { readonly kind: 'change'; readonly id: string; readonly change: CaptureChange }
  | { readonly kind: 'undo'; readonly ids: readonly string[] };

/** Whether it was done. */
export type Answer = { readonly ok: boolean };

/** Asks the background, and waits until it has done so. */
export async function askBackground(request: Request): Promise<Answer> {
  try {
    return await chrome.runtime.sendMessage<Request, Answer>(request);
  } catch {
    // It ended on the way: what was kept is done at the next alarm.
    return { ok: false };
  }
}
