import { formatMoment } from '@linkoteca/domain/dates';
import {
  describeAnswer,
  ACCESS_ANSWER_MESSAGES as words,
} from '@linkoteca/domain/messages/access-request-messages';
import { SHARING_MESSAGES } from '@linkoteca/domain/messages/sharing-messages';
import { Button } from '../../../shared/ui/button.tsx';
import type { AccessRequest } from '../api/access-requests.ts';
import { useRequestAnswers } from '../model/use-request-answers.ts';

interface AccessRequestListProps {
  readonly requests: readonly AccessRequest[];
  /** Whether each says of which category it is. */
  readonly withCategory?: boolean;
  /** The plan does not let in whoever was asked for. */
  readonly onGate: () => void;
}

/** Who asks to see what, each with its two answers. What askers wrote stands in quotes, their address first. */
export function AccessRequestList({ requests, withCategory = false, onGate }: AccessRequestListProps) {
  const { answering, answer } = useRequestAnswers(onGate);
  const now = new Date();
  return (
    <ul
      aria-label={words.title}
      className="flex max-h-80 flex-col divide-y divide-line overflow-y-auto overscroll-contain rounded border border-edge-soft"
    >
      {requests.map((request) => (
        <li
          key={request.id}
          className="flex shrink-0 flex-wrap items-center justify-end gap-x-3 gap-y-2 py-2.5 pr-2 pl-3"
        >
          <div className="min-w-0 flex-1 basis-56">
            <p className="text-base font-medium [overflow-wrap:anywhere] text-ink">{request.email}</p>
            <p className="text-sm break-words text-ink-soft">
              <bdi>{request.asker_name?.trim() || SHARING_MESSAGES.unknownOwner}</bdi>
              {' · '}
              {withCategory ? (
                <>
                  <bdi>{request.category_name}</bdi>
                  {' · '}
                </>
              ) : null}
              {formatMoment(new Date(request.asked_at), now)}
            </p>
            {request.note === '' ? null : (
              <p className="mt-0.5 text-sm break-words text-ink">
                “<bdi>{request.note}</bdi>”
              </p>
            )}
          </div>
          <div className="flex gap-2">
            {(['refuse', 'allow'] as const).map((act) => (
              <Button
                key={act}
                aria-label={describeAnswer(words[act], request.email, request.category_name)}
                busy={answering?.id === request.id && answering.allow === (act === 'allow')}
                onClick={() => void answer(request, act === 'allow')}
              >
                {words[act]}
              </Button>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}
