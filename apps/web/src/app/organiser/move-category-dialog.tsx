import type { Category } from '@linkoteca/domain/entities';
import { formatCount } from '@linkoteca/domain/format-number';
import { pickHue } from '@linkoteca/domain/pick-hue';
import { PickDialog } from '../../shared/ui/pick-dialog.tsx';
import { useCategoryMoving } from './use-category-moving.ts';
import { useLibrary } from './use-library.ts';

interface MoveCategoryDialogProps {
  readonly open: boolean;
  readonly category: Category;
  readonly onClose: () => void;
}

/** 'Mover categoria': to which folder? Choosing moves. */
export function MoveCategoryDialog({ open, category, onClose }: MoveCategoryDialogProps) {
  const { shelves } = useLibrary();
  const move = useCategoryMoving();
  const options = shelves.map(({ folder, categories }) => {
    const current = folder.id === category.folder_id;
    return {
      id: folder.id,
      name: folder.name,
      detail: current ? 'Pasta atual' : formatCount(categories.length, 'categoria', 'categorias'),
      disabled: current,
      icon: (
        <span
          aria-hidden
          className="h-4 w-1 shrink-0 rounded-full"
          style={{ background: `var(--folder-${pickHue(folder.id) + 1})` }}
        />
      ),
    };
  });
  return (
    <PickDialog
      open={open}
      onClose={onClose}
      title="Mover categoria"
      description={category.name}
      label="Buscar pasta"
      listLabel="Pastas"
      groups={[{ label: '', options }]}
      emptyText="Nenhuma pasta encontrada"
      onPick={(folderId) => {
        onClose();
        void move(category.id, folderId);
      }}
    />
  );
}
