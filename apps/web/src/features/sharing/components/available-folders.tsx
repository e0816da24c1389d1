import {
  describeAddition,
  describeAvailable,
  describeNoRoom,
  describeTaken,
  HAND_OVER_MESSAGES as words,
} from '@linkoteca/domain/messages/hand-over-messages';
import type { ReactNode } from 'react';
import { focusHeading } from '../../../shared/lib/browser/focus-heading.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { describeRefusal } from '../../../shared/lib/describe-refusal.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { type AvailableFolder, useAvailableFolders, useFolderOfferWrites } from '../api/folder-offers.ts';

const TRY_AGAIN = 'Tente de novo em instantes.';

interface AvailableFoldersProps {
  /** To the plans, where there is no room. */
  readonly plansLink: ReactNode;
}

/** Folders that others offer to the person or leave behind, each with what it would add to their plan. */
export function AvailableFolders({ plansLink }: AvailableFoldersProps) {
  const folders = useAvailableFolders().data ?? [];
  if (folders.length === 0) return null;
  return (
    <ul aria-label={words.available} className="mt-7 flex flex-col gap-3">
      {folders.map((folder) => (
        <AvailableFolderRow key={folder.id} folder={folder} plansLink={plansLink} />
      ))}
    </ul>
  );
}

interface AvailableFolderRowProps extends AvailableFoldersProps {
  readonly folder: AvailableFolder;
}

function AvailableFolderRow({ folder, plansLink }: AvailableFolderRowProps) {
  const { take, end } = useFolderOfferWrites();
  const { categoryCount, linkCount, refusal } = folder;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border border-line bg-surface p-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className="text-base font-medium wrap-anywhere text-ink">{describeAvailable(folder)}</p>
        <p className="text-sm text-ink-soft">
          {refusal === null ? describeAddition(categoryCount, linkCount) : describeNoRoom(refusal)}
        </p>
      </div>
      <div className="flex items-center gap-2">
        {folder.isClosed ? null : (
          <Button
            busy={end.isPending}
            onClick={() =>
              tell(end.mutateAsync(folder.id), words.declined, (error) =>
                toast.error(words.endFailed, describeError(error, TRY_AGAIN)),
              )
            }
          >
            {words.decline}
          </Button>
        )}
        {refusal === null ? (
          <Button
            busy={take.isPending}
            busyLabel={words.taking}
            onClick={() =>
              tell(take.mutateAsync(folder.id), describeTaken(folder.name), (error) =>
                toast.error(words.takeFailed, describeRefusal(error, TRY_AGAIN)),
              )
            }
          >
            {folder.isClosed ? words.takeOver : words.accept}
          </Button>
        ) : (
          plansLink
        )}
      </div>
    </li>
  );
}

/** Says how it ended, also once the row has gone with the keyboard on it. */
function tell(answer: Promise<unknown>, said: string, onFailed: (error: unknown) => void) {
  const pressed = document.activeElement;
  void answer.then(() => {
    focusHeading('page', pressed);
    toast.success(said);
  }, onFailed);
}
