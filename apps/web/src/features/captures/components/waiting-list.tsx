import { CAPTURE_MESSAGES } from '@linkoteca/domain/messages/capture-messages';
import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { readHost } from '@linkoteca/domain/urls';
import { Link } from '@tanstack/react-router';
import { Pencil, RotateCw, X } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { LinkFace } from '../../../shared/ui/link-face.tsx';
import type { WaitingCapture } from '../model/capture.ts';
import { describeRefusedCapture } from '../model/describe-refused-capture.ts';

const TEXT = CAPTURE_MESSAGES.waiting;

interface WaitingListProps {
  readonly captures: readonly WaitingCapture[];
  readonly online: boolean;
  /** Sends again what was refused. */
  readonly onRetry: (captures: readonly WaitingCapture[]) => void;
  readonly onEdit: (capture: WaitingCapture) => void;
  readonly onRemove: (captures: readonly WaitingCapture[]) => void;
}

/** What waits on this device to be saved, with the reason, and what can be done about it. */
export function WaitingList({ captures, online, onRetry, onEdit, onRemove }: WaitingListProps) {
  const refused = captures.filter(({ refusal }) => refusal !== null);
  return (
    <section
      aria-labelledby="waiting-title"
      className="mb-8 max-w-prose rounded-lg border border-line bg-surface"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3">
        <div className="min-w-0 flex-1 basis-60">
          <h2 id="waiting-title" className="text-base font-semibold">
            {TEXT.title}
          </h2>
          <p className="text-sm text-ink-soft">
            {TEXT.lead} {online ? null : TEXT.offline}
          </p>
        </div>
        {refused.length > 1 ? (
          <Button size="small" onClick={() => onRetry(refused)}>
            {TEXT.retryAll}
          </Button>
        ) : null}
        {captures.length > 1 ? (
          <Button size="small" variant="quiet" onClick={() => onRemove(captures)}>
            {TEXT.empty}
          </Button>
        ) : null}
      </div>
      <ul>
        {captures.map((capture) => (
          <WaitingRow
            key={capture.place}
            capture={capture}
            online={online}
            onRetry={() => onRetry([capture])}
            onEdit={() => onEdit(capture)}
            onRemove={() => onRemove([capture])}
          />
        ))}
      </ul>
    </section>
  );
}

interface WaitingRowProps {
  readonly capture: WaitingCapture;
  readonly online: boolean;
  readonly onRetry: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function WaitingRow({ capture, online, onRetry, onEdit, onRemove }: WaitingRowProps) {
  const { url, refusal } = capture;
  const title = capture.title ?? readHost(url);
  return (
    <li className="flex items-start gap-3 border-b border-line px-4 py-2.5 last:border-b-0">
      <span className="mt-0.5">
        <LinkFace url={url} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate text-base font-medium" title={title}>
          {title}
        </p>
        <p className="truncate text-sm text-ink-soft" title={url}>
          {url}
        </p>
        {refusal ? (
          <p className="mt-0.5 text-sm text-warning-text">
            {describeRefusedCapture(refusal)}{' '}
            {refusal.kind === 'link_limit' || refusal.kind === 'category_limit' ? (
              <Link to="/plans" className="hit-area font-medium underline underline-offset-2">
                {PLAN_MESSAGES.seePlans}
              </Link>
            ) : null}
          </p>
        ) : online ? (
          <p className="mt-0.5 text-sm text-ink-soft">{TEXT.sending}</p>
        ) : null}
      </div>
      <div className="-my-0.5 flex shrink-0">
        {refusal ? (
          <IconButton label={`${TEXT.retry}: ${title}`} onClick={onRetry}>
            <RotateCw aria-hidden />
          </IconButton>
        ) : null}
        <IconButton label={`${TEXT.edit}: ${title}`} onClick={onEdit}>
          <Pencil aria-hidden />
        </IconButton>
        <IconButton label={`${TEXT.remove}: ${title}`} onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      </div>
    </li>
  );
}
