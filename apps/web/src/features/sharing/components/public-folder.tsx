import {
  describeOnPage,
  FOLDER_PAGE_MESSAGES as words,
} from '@linkoteca/domain/messages/folder-page-messages';
import { SHARING_WORDS } from '@linkoteca/domain/messages/sharing-messages';
import { type AddressedCategory, sharedFolderPath } from '@linkoteca/domain/sharing';
import { Copy } from 'lucide-react';
import { copyLink } from '../../../shared/lib/browser/copy-link.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { SwitchField } from '../../../shared/ui/fields/switch-field.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useFolderPage, useFolderPublishing } from '../api/folder-page.ts';

interface PublicFolderProps {
  readonly folder: AddressedCategory;
  /** Whether the plan shares; what is public already can always be taken down. */
  readonly canPublish: boolean;
}

/** The page of one's own folder: on or off, and its address once it works. */
export function PublicFolder({ folder, canPublish }: PublicFolderProps) {
  const page = useFolderPage(folder.id).data;
  const { mutate, isPending } = useFolderPublishing(folder.id);
  if (page === undefined || !(canPublish || page.isPublic)) return null;
  const link = `${window.location.origin}${sharedFolderPath(folder)}`;
  const change = (isPublic: boolean) => {
    // Two that are under way could end in either order: what is shown must be what is.
    if (isPending) return;
    mutate(isPublic, {
      onSuccess: () => toast.success(isPublic ? words.on : words.off),
      onError: (error) => toast.error(words.failed, describeError(error, 'Tente de novo em instantes.')),
    });
  };
  return (
    <div>
      <SwitchField label={words.title} hint={words.hint} checked={page.isPublic} onChange={change} />
      {page.isPublic ? (
        <div className="mt-1.5 flex flex-wrap items-center gap-x-2 px-3.5 text-sm text-ink-faint">
          {page.publicCount === 0 ? null : (
            <div className="flex max-w-full min-w-0 items-center gap-1">
              <a
                href={link}
                target="_blank"
                rel="noopener"
                title={link}
                className="flex h-8 min-w-0 items-center text-ink-soft underline decoration-edge-soft underline-offset-3 hover:text-ink pointer-coarse:h-11"
              >
                <span className="truncate">{link.replace(/^https?:\/\//, '')}</span>
              </a>
              <IconButton
                size="small"
                label={SHARING_WORDS.copy}
                disabled={isPending}
                onClick={() => void copyLink(link)}
              >
                <Copy aria-hidden />
              </IconButton>
            </div>
          )}
          <p>{describeOnPage(page.publicCount)}</p>
        </div>
      ) : null}
    </div>
  );
}
