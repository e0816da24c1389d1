import { useState } from 'react';
import type { WaitingCapture } from '../outbox/capture.ts';
import type { CaptureChange } from '../outbox/change-capture.ts';
import { retryRefused } from '../outbox/outbox.ts';
import type { Connection } from '../session/session-store.ts';
import { Button } from '../shared/button.tsx';
import { describeRefusal } from '../shared/describe-refusal.ts';
import { askBackground } from '../shared/messages.ts';
import { translate } from '../shared/translate.ts';
import { CaptureFields } from './capture-fields.tsx';
import { Notice } from './notice.tsx';
import { followCapture, type Outcome } from './save-page.ts';

interface WaitingCardProps {
  readonly connection: Connection;
  readonly capture: WaitingCapture;
  readonly onOutcome: (outcome: Outcome | 'undone') => void;
  readonly onSignIn: () => void;
}

/** What was pressed waits on this device: why, and what can be done about it. */
export function WaitingCard({ connection, capture, onOutcome, onSignIn }: WaitingCardProps) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const { refusal } = capture;
  const isOver = connection.hasEnded || refusal?.kind === 'signed_out' || refusal?.kind === 'not_allowed';
  const text = refusal ? describeRefusal(refusal) : translate(isOver ? 'signedOut' : 'waitingWhy');

  const change = async (wanted: CaptureChange) => {
    const { ok } = await askBackground({ kind: 'change', id: capture.id, change: wanted });
    setFault(ok ? '' : translate('notChanged'));
  };
  const undo = async () => {
    setBusy(true);
    setFault('');
    const { ok } = await askBackground({ kind: 'undo', ids: [capture.id] });
    if (ok) onOutcome('undone');
    else setFault(translate('undoFailed'));
    setBusy(false);
  };
  const retry = async () => {
    setBusy(true);
    setFault('');
    await retryRefused(connection, false);
    await askBackground({ kind: 'send-outbox' });
    onOutcome(await followCapture(connection, capture));
    setBusy(false);
  };
  return (
    <>
      <Notice title={translate(refusal ? 'refused' : 'waiting')} text={text} />
      <CaptureFields
        tags={capture.tags}
        description={capture.description}
        onChange={(wanted) => void change(wanted)}
      />
      {fault === '' ? null : (
        <p role="alert" className="text-sm text-danger-text">
          {fault}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="quiet" disabled={isBusy} onClick={() => void undo()}>
          {translate('undo')}
        </Button>
        {isOver ? (
          <Button look="primary" onClick={onSignIn}>
            {translate('signInAgain')}
          </Button>
        ) : (
          <Button disabled={isBusy} onClick={() => void retry()}>
            {translate('retry')}
          </Button>
        )}
      </div>
    </>
  );
}
