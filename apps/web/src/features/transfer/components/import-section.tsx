import { formatMoment } from '@linkoteca/domain/dates';
import { describeSharingLock } from '@linkoteca/domain/messages/plan-messages';
import type { Plan } from '@linkoteca/domain/plans';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { type ReactNode, useEffect } from 'react';
import { useOnline } from '../../../shared/lib/connection/connection-context.tsx';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { ProgressBar } from '../../../shared/ui/feedback/progress-bar.tsx';
import { PlanNote } from '../../../shared/ui/plan-note.tsx';
import { useImport } from '../api/use-import.ts';
import { useLastImport } from '../api/use-last-import.ts';
import { describeLastImport, TRANSFER_MESSAGES, UNREADABLE_FILE } from '../model/transfer-messages.ts';
import { FileDrop } from './file-drop.tsx';
import { ImportPreview } from './import-preview.tsx';
import { ImportProgress } from './import-progress.tsx';
import { UndoImport } from './undo-import.tsx';

const words = TRANSFER_MESSAGES.import;

interface ImportSectionProps {
  readonly plan: Plan | null;
  /** The way to the plans, beside what does not fit. */
  readonly plansLink: ReactNode;
  readonly onRefused: () => void;
}

/** A bookmark file from elsewhere: read, looked at, and only then written. */
export function ImportSection({ plan, plansLink, onRefused }: ImportSectionProps) {
  const online = useOnline();
  const flow = useImport(plan);
  const { state } = flow;
  const lock = describeSharingLock(plan);
  const isOffered = lock === null;
  useRefusal(state.status === 'paused' ? state.error : null, onRefused);
  const take = (file: File) => (isOffered ? void flow.read(file) : onRefused());
  const isOpen = state.status === 'idle' || state.status === 'unreadable' || state.status === 'not_compared';
  return (
    <section className="flex flex-col gap-4" aria-labelledby="bookmark-import">
      <div>
        <h2 id="bookmark-import" className="text-lg font-semibold">
          {words.title}
        </h2>
        <p className="mt-1 text-base text-ink-soft">{words.explanation}</p>
      </div>
      <PlanNote action={plansLink}>{lock}</PlanNote>
      {state.status === 'unreadable' ? <Notice tone="danger">{UNREADABLE_FILE[state.reason]}</Notice> : null}
      {state.status === 'not_compared' ? (
        <Notice tone="danger">{describeError(state.error, words.previewFailed)}</Notice>
      ) : null}
      {isOpen ? (
        <>
          <FileDrop disabled={!online} onRefused={isOffered ? null : onRefused} lock={lock} onFile={take} />
          {online ? null : <Notice tone="warning">{words.offlineBefore}</Notice>}
          <LastImport />
        </>
      ) : null}
      {state.status === 'reading' || state.status === 'comparing' ? (
        <>
          <p className="text-base">{state.status === 'reading' ? words.reading : words.comparing}</p>
          <ProgressBar label={words.reading} percent={state.status === 'reading' ? state.percent : 100} />
          <Button size="large" className="self-start" onClick={flow.reset}>
            {words.cancel}
          </Button>
        </>
      ) : null}
      {state.status === 'preview' ? (
        <ImportPreview
          preview={state.preview}
          planName={plan?.name ?? ''}
          plansLink={plansLink}
          online={online}
          onAmend={(arrangement) => flow.amend(state.preview, arrangement)}
          onBegin={(chosen) => void flow.begin(chosen)}
          onCancel={flow.reset}
        />
      ) : null}
      {state.status === 'writing' || state.status === 'paused' || state.status === 'done' ? (
        <ImportProgress
          state={state}
          online={online}
          onStop={flow.stop}
          onGoOn={() => void flow.goOn(state.run)}
          onClose={flow.reset}
        />
      ) : null}
    </section>
  );
}

/** The plan is not what this screen thought. */
function useRefusal(error: unknown, onRefused: () => void): void {
  const isRefused = readRefusal(error).kind === 'sharing_gate';
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each refusal, however often the page draws itself
  useEffect(() => {
    if (isRefused) onRefused();
  }, [isRefused, error]);
}

/** The last import of the day, with the way back: also after the page was left, and where it stopped half-way. */
function LastImport() {
  const { data } = useLastImport();
  if (!data) return null;
  return (
    <Notice action={<UndoImport importId={data.id} />}>
      {describeLastImport(data.made, formatMoment(data.startedAt, new Date()))}
    </Notice>
  );
}
