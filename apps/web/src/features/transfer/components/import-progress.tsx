import { describeCategoryLimit, describeLinkLimit } from '@linkoteca/domain/messages/plan-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useEffect } from 'react';
import { describeError, isOfflineError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { ProgressBar } from '../../../shared/ui/feedback/progress-bar.tsx';
import type { ImportRun, ImportState } from '../model/import-state.ts';
import {
  describeImported,
  describeProgress,
  describeStopped,
  TRANSFER_MESSAGES,
} from '../model/transfer-messages.ts';
import { UndoImport } from './undo-import.tsx';

const words = TRANSFER_MESSAGES.import;

interface ImportProgressProps {
  readonly state: Extract<ImportState, { readonly status: 'writing' | 'paused' | 'done' }>;
  readonly online: boolean;
  readonly onStop: () => void;
  readonly onGoOn: () => void;
  readonly onClose: () => void;
}

/** An import while it writes, while it waits, and when it is over; with the way back. */
export function ImportProgress({ state, online, onStop, onGoOn, onClose }: ImportProgressProps) {
  const { run } = state;
  const isWaiting =
    state.status === 'paused' && state.error !== null && (!online || isOfflineError(state.error));
  useLeaveWarning(state.status === 'writing');
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time the network comes back
  useEffect(() => {
    if (isWaiting && online) onGoOn();
  }, [online]);
  const sent = run.parts.slice(0, run.done).reduce((sum, part) => sum + part.links.length, 0);
  if (state.status === 'done')
    return (
      <>
        <Notice tone="success">{describeImported(run.made)}</Notice>
        <div className="flex flex-wrap gap-2">
          <Button size="large" onClick={onClose}>
            {words.other}
          </Button>
          <UndoImport importId={run.importId} onUndone={onClose} />
        </div>
      </>
    );
  return (
    <>
      <p className="text-base tabular-nums" role="status">
        {state.status === 'writing' ? words.writing : words.paused} {describeProgress(sent, run.totalLinks)}
      </p>
      <ProgressBar label={words.writing} percent={(100 * run.done) / Math.max(1, run.parts.length)} />
      {state.status === 'paused' ? <PauseReason run={run} error={state.error} isWaiting={isWaiting} /> : null}
      <div className="flex flex-wrap gap-2">
        {state.status === 'writing' ? (
          <Button size="large" busy={state.stopping} onClick={onStop}>
            {words.stop}
          </Button>
        ) : (
          <>
            <Button variant="primary" size="large" disabled={!online} onClick={onGoOn}>
              {words.goOn}
            </Button>
            {run.done > 0 ? <UndoImport importId={run.importId} onUndone={onClose} /> : null}
            <Button size="large" onClick={onClose}>
              {words.other}
            </Button>
          </>
        )}
      </div>
    </>
  );
}

interface PauseReasonProps {
  readonly run: ImportRun;
  readonly error: unknown;
  readonly isWaiting: boolean;
}

function PauseReason({ run, error, isWaiting }: PauseReasonProps) {
  if (isWaiting) return <Notice tone="warning">{words.offline}</Notice>;
  if (error === null) return <Notice>{describeStopped(run.made, run.totalLinks)}</Notice>;
  const refusal = readRefusal(error);
  const limit =
    refusal.kind === 'link_limit'
      ? describeLinkLimit(refusal.max)
      : refusal.kind === 'category_limit'
        ? describeCategoryLimit(refusal.max)
        : null;
  return (
    <Notice tone="danger">
      {limit ? `${limit.title}. ${limit.description}.` : `${describeError(error, words.failed)}.`}{' '}
      {describeStopped(run.made, run.totalLinks)}
    </Notice>
  );
}

/** The browser asks before the page goes while parts are on their way. */
function useLeaveWarning(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isActive]);
}
