import { changeCapture, undoCaptures } from '../outbox/change-capture.ts';
import { sendOutbox } from '../outbox/outbox.ts';
import { takePicture } from '../page/take-picture.ts';
import { readConnection } from '../session/session-store.ts';
import type { Answer, Request } from '../shared/messages.ts';
import { addCover } from './add-cover.ts';

/** Does what a page of the extension asks for. @throws what went wrong. */
async function carryOut(request: Request): Promise<void> {
  if (request.kind === 'send-outbox') {
    // At once: the person may leave the page before the link is saved.
    const taking = request.seen && takePicture(request.seen.tab);
    await sendOutbox();
    if (request.seen && taking) void addCover(request.seen, taking);
    return;
  }
  const connection = await readConnection();
  if (connection === null) throw new Error('nobody is signed in');
  if (request.kind === 'undo') return undoCaptures(connection, request.ids);
  await changeCapture(connection, request.id, request.change);
  await sendOutbox();
}

/** Listens for the extension's own pages; no page of the web can send it anything (`externally_connectable` is not declared). */
export function answerRequests(): void {
  chrome.runtime.onMessage.addListener((request: Request, _sender, answer: (answer: Answer) => void) => {
    carryOut(request).then(
      () => answer({ ok: true }),
      () => answer({ ok: false }),
    );
    // The answer comes later.
    return true;
  });
}
