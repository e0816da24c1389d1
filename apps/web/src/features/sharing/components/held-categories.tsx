import { FOLDER_SHARING_MESSAGES as words } from '@linkoteca/domain/messages/folder-sharing-messages';
import { useState } from 'react';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useHeldCategories, useHoldBack } from '../api/hold-back-categories.ts';
import { describeFolderRefusal } from '../model/describe-folder-refusal.ts';

/** Which categories of a shared folder its members do not see. Read when somebody looks. */
export function HeldCategories({ folderId }: { readonly folderId: string }) {
  const [shown, setShown] = useState(false);
  const categories = useHeldCategories(shown ? folderId : null).data;
  const hold = useHoldBack(folderId);
  return (
    <details onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary className="cursor-pointer rounded py-1.5 text-sm text-ink-soft hover:text-ink">
        {words.heldBack}
      </summary>
      <p className="mt-1 text-sm text-ink-faint">{words.heldBackHint}</p>
      {categories?.length === 0 ? <p className="mt-2 text-sm text-ink-soft">{words.noCategories}</p> : null}
      <ul className="mt-1 flex max-h-48 flex-col overflow-y-auto">
        {categories?.map((category) => (
          <li key={category.id}>
            <label className="flex min-h-9 cursor-pointer items-center gap-2.5 text-base text-ink pointer-coarse:min-h-11">
              <input
                type="checkbox"
                className="size-4 shrink-0 accent-accent"
                checked={category.is_held_back}
                onChange={({ target }) =>
                  void hold
                    .mutateAsync({ id: category.id, is_held_back: target.checked })
                    .catch((error: unknown) =>
                      toast.error(words.heldBackFailed, describeFolderRefusal(error)),
                    )
                }
              />
              <span className="min-w-0 truncate">{category.name}</span>
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}
