import { COPY_MESSAGES } from '@linkoteca/domain/access-messages';
import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { pickHue } from '@linkoteca/domain/pick-hue';
import { FolderPlus } from 'lucide-react';
import { useFolders } from '../../features/folders/api/list-folders.ts';
import { PickDialog } from '../../shared/ui/pick-dialog.tsx';
import type { PickOption } from '../../shared/ui/pick-options.ts';
import { useCopyCategory } from './use-copy-category.ts';

interface CopyCategoryDialogProps {
  readonly open: boolean;
  readonly category: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
  readonly onBusy: (busy: boolean) => void;
  /** The id of the copy; null when it was taken back. */
  readonly onCopied: (copyId: string | null) => void;
}

/** Stands for a folder that is made on the way. */
const NEW_FOLDER = 'new';

/** 'Copiar para minha biblioteca': into which folder? Choosing copies. */
export function CopyCategoryDialog({ open, category, onClose, onBusy, onCopied }: CopyCategoryDialogProps) {
  const folders = useFolders().data;
  const copy = useCopyCategory({ categoryId: category.id, onBusy, onCopied });
  const newName = [...category.name].slice(0, FIELD_LIMITS.folderName).join('').trim();
  const options: readonly PickOption[] = (folders ?? []).map(({ id, name }) => ({
    id,
    name,
    icon: (
      <span
        aria-hidden
        className="h-4 w-1 shrink-0 rounded-full"
        style={{ background: `var(--folder-${pickHue(id) + 1})` }}
      />
    ),
  }));
  const canCreate = folders?.every(({ name }) => name !== newName);
  const created: PickOption = {
    id: NEW_FOLDER,
    name: newName,
    icon: <FolderPlus aria-hidden className="size-4 shrink-0 text-ink-faint" />,
  };
  return (
    <PickDialog
      open={open}
      onClose={onClose}
      title={COPY_MESSAGES.title}
      description={category.name}
      label={COPY_MESSAGES.searchFolder}
      listLabel={COPY_MESSAGES.folders}
      groups={[
        { label: '', options },
        ...(canCreate ? [{ label: COPY_MESSAGES.newFolder, options: [created] }] : []),
      ]}
      emptyText={folders === undefined ? '' : COPY_MESSAGES.noFolder}
      onPick={(id) => {
        onClose();
        const folder = folders?.find((each) => each.id === id);
        void copy(folder ?? { id: null, name: newName });
      }}
    />
  );
}
