import type { WaitingCapture } from '../outbox/capture.ts';
import { Button } from '../shared/button.tsx';
import { describeRefusal } from '../shared/describe-refusal.ts';
import { translate } from '../shared/translate.ts';

interface WaitingListProps {
  readonly captures: readonly WaitingCapture[];
  readonly onRetry: () => void;
  readonly onRemove: (place: number) => void;
}

/** What waits on this device to be saved, with the reason. */
export function WaitingList({ captures, onRetry, onRemove }: WaitingListProps) {
  return (
    <section className="rounded-lg border border-line bg-surface" aria-labelledby="waiting-title">
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2.5">
        <h2 id="waiting-title" className="font-semibold">
          {translate('waitingTitle')}
        </h2>
        <Button onClick={onRetry}>{translate('retry')}</Button>
      </div>
      <ul>
        {captures.map(({ place, title, url, refusal }) => (
          <li key={place} className="flex items-center gap-3 border-b border-line px-4 py-2 last:border-b-0">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{title}</p>
              <p className="truncate text-sm text-ink-soft">{url}</p>
              <p className="text-sm text-warning-text">
                {refusal ? describeRefusal(refusal) : translate('waitingWhy')}
              </p>
            </div>
            <Button
              look="quiet"
              aria-label={`${translate('remove')}: ${title}`}
              onClick={() => onRemove(place)}
            >
              {translate('remove')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
