import {
  describeOnPage,
  FOLDER_PAGE_MESSAGES as words,
} from '@linkoteca/domain/messages/folder-page-messages';
import { type AddressedCategory, sharedFolderPath } from '@linkoteca/domain/sharing';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { SwitchField } from '../../../shared/ui/fields/switch-field.tsx';
import { useFolderPage, useFolderPublishing } from '../api/folder-page.ts';
import { describeFolderRefusal } from '../model/describe-folder-refusal.ts';
import { PageAddress } from './page-address.tsx';

interface PublicFolderProps {
  readonly folder: AddressedCategory;
  /** Whether the plan shares; what is public already can always be taken down. */
  readonly canPublish: boolean;
}

/** The page of one's own folder: on or off, and its address once it works. */
export function PublicFolder({ folder, canPublish }: PublicFolderProps) {
  const page = useFolderPage(folder.id).data;
  const { mutateAsync, isPending } = useFolderPublishing(folder.id);
  if (page === undefined || !(canPublish || page.isPublic)) return null;
  const change = (isPublic: boolean) => {
    // Two that are under way could end in either order: what is shown must be what is.
    if (isPending) return;
    void mutateAsync(isPublic).then(
      () => toast.success(isPublic ? words.on : words.off),
      (error: unknown) => toast.error(words.failed, describeFolderRefusal(error)),
    );
  };
  return (
    <div>
      <SwitchField label={words.title} hint={words.hint} checked={page.isPublic} onChange={change} />
      {page.isPublic ? (
        <div className="mt-1.5 flex flex-wrap items-center gap-x-2 px-3.5 text-sm text-ink-faint">
          {page.openCount === 0 ? null : <PageAddress path={sharedFolderPath(folder)} busy={isPending} />}
          <p>{describeOnPage(page)}</p>
        </div>
      ) : null}
    </div>
  );
}
