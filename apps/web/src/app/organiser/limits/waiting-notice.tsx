import { describeRoomierPlan, KEPT_WORDS } from '@linkoteca/domain/messages/room-messages';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { useOrganiserDialogs } from '../dialogs/organiser-dialogs-context.ts';
import { forgetWaiting, readWaiting } from './waiting-request.ts';

/** Above the plans, for somebody who came because theirs was full: back to what they typed, also after the payment. */
export function WaitingNotice() {
  const userId = useUserId();
  const ask = useOrganiserDialogs();
  const { history } = useRouter();
  const [waiting] = useState(() => readWaiting(userId));
  if (waiting === null) return null;
  const { request, path, limit } = waiting;
  const room = limit ? describeRoomierPlan(limit.of, limit.max) : null;
  const goOn = () => {
    forgetWaiting(userId);
    history.push(path ?? '/dashboard');
    ask(request.kind === 'category' ? { ...request, category: null } : request);
  };
  return (
    <Notice
      tone="success"
      action={
        <Button size="small" onClick={goOn}>
          Continuar de onde parou
        </Button>
      }
    >
      {[KEPT_WORDS[request.kind], room].filter(Boolean).join(' ')}
    </Notice>
  );
}
