import {
  describeStandingOffer,
  HAND_OVER_MESSAGES as words,
} from '@linkoteca/domain/messages/hand-over-messages';
import { useId, useState } from 'react';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { describeRefusal } from '../../../shared/lib/describe-refusal.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { fieldControlClassName } from '../../../shared/ui/fields/field-control.ts';
import { useFolderOffer, useFolderOfferWrites } from '../api/folder-offers.ts';
import { useFolderMembers } from '../api/list-folder-members.ts';

const TRY_AGAIN = 'Tente de novo em instantes.';

/** Offers one's own folder to somebody who may write in it. */
export function HandOver({ folderId }: { readonly folderId: string }) {
  const id = useId();
  const offered = useFolderOffer(folderId).data;
  const candidates = useFolderMembers(folderId).data?.filter(({ role }) => role !== 'viewer') ?? [];
  const [chosen, setChosen] = useState('');
  const { offer, end } = useFolderOfferWrites();
  const email = candidates.some((each) => each.email === chosen) ? chosen : (candidates[0]?.email ?? '');
  return (
    <details>
      <summary className="cursor-pointer rounded py-1.5 text-sm text-ink-soft hover:text-ink">
        {words.title}
      </summary>
      <p className="mt-1 text-sm text-ink-faint">{words.hint}</p>
      {offered ? (
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <p className="min-w-0 flex-1 basis-48 text-base wrap-anywhere text-ink">
            {describeStandingOffer(offered)}
          </p>
          <Button
            busy={end.isPending}
            onClick={() =>
              void end.mutateAsync(folderId).then(
                () => toast.success(words.withdrawn),
                (error: unknown) => toast.error(words.endFailed, describeError(error, TRY_AGAIN)),
              )
            }
          >
            {words.withdraw}
          </Button>
        </div>
      ) : email === '' ? (
        <p className="mt-2 text-sm text-ink-soft">{words.nobody}</p>
      ) : (
        <div className="mt-2 flex flex-wrap items-end gap-2">
          <div className="min-w-0 flex-1 basis-48">
            <label htmlFor={id} className="mb-1 block text-sm text-ink">
              {words.to}
            </label>
            <select
              id={id}
              value={email}
              // A select counts as read-only to CSS; it must not look so.
              className={`${fieldControlClassName} h-9 bg-surface! text-ink! pointer-coarse:h-11`}
              onChange={({ target }) => setChosen(target.value)}
            >
              {candidates.map((member) => (
                <option key={member.email} value={member.email}>
                  {member.email}
                </option>
              ))}
            </select>
          </div>
          <Button
            busy={offer.isPending}
            onClick={() =>
              void offer.mutateAsync({ folderId, email }).then(
                () => toast.success(words.offered, describeStandingOffer(email)),
                (error: unknown) => toast.error(words.offerFailed, describeRefusal(error, TRY_AGAIN)),
              )
            }
          >
            {words.offer}
          </Button>
        </div>
      )}
    </details>
  );
}
