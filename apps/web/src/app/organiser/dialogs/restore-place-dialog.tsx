import { BIN_MESSAGES } from '@linkoteca/domain/messages/bin-messages';
import { type BinEntry, nameEntry } from '../../../features/bin/model/bin-entry.ts';
import { PickDialog } from '../../../shared/ui/pickers/pick-dialog.tsx';
import { useLibrary } from '../use-library.ts';

interface RestorePlaceDialogProps {
  readonly open: boolean;
  readonly entry: BinEntry;
  readonly onClose: () => void;
  readonly onPick: (placeId: string) => void;
}

/** Where to, now that the place it was in is gone? A folder for categories, a category for links. */
export function RestorePlaceDialog({ open, entry, onClose, onPick }: RestorePlaceDialogProps) {
  const { shelves } = useLibrary();
  const ofLinks = entry.itemType === 'link';
  const groups = ofLinks
    ? shelves
        .map(({ folder, categories }) => ({
          label: folder.name,
          options: categories.map(({ id, name }) => ({ id, name })),
        }))
        .filter(({ options }) => options.length > 0)
    : [{ label: '', options: shelves.map(({ folder }) => ({ id: folder.id, name: folder.name })) }];
  return (
    <PickDialog
      open={open}
      onClose={onClose}
      title={BIN_MESSAGES.placeGone}
      description={`O lugar de “${nameEntry(entry)}” não existe mais`}
      label={ofLinks ? 'Buscar categoria' : 'Buscar pasta'}
      listLabel={ofLinks ? 'Categorias' : 'Pastas'}
      groups={groups}
      emptyText={describeNothing(
        ofLinks,
        groups.some(({ options }) => options.length > 0),
      )}
      onPick={(placeId) => {
        onClose();
        onPick(placeId);
      }}
    />
  );
}

function describeNothing(ofLinks: boolean, hasPlaces: boolean): string {
  if (!hasPlaces) return ofLinks ? BIN_MESSAGES.noCategory : BIN_MESSAGES.noFolder;
  return ofLinks ? 'Nenhuma categoria encontrada' : 'Nenhuma pasta encontrada';
}
