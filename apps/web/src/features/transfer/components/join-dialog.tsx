import { formatCount } from '@linkoteca/domain/formats';
import { PickDialog } from '../../../shared/ui/pickers/pick-dialog.tsx';
import type { FilePlace } from '../model/amend-import.ts';
import type { ArrangedFolder } from '../model/arrange-import.ts';
import { dropKey } from '../model/dropped-places.ts';
import { describeJoin, TRANSFER_MESSAGES } from '../model/transfer-messages.ts';

const words = TRANSFER_MESSAGES.import;

interface JoinDialogProps {
  readonly folders: readonly ArrangedFolder[];
  /** What nobody wants is nothing to join with: it would be left out with it. */
  readonly dropped: ReadonlySet<string>;
  /** The category that goes into another one. */
  readonly place: FilePlace;
  readonly onClose: () => void;
  readonly onJoin: (into: FilePlace) => void;
}

/** 'Juntar com…': the other categories of the file. Choosing joins. */
export function JoinDialog({ folders, dropped, place, onClose, onJoin }: JoinDialogProps) {
  const own = dropKey(place.folder, place.category);
  const places = new Map<string, FilePlace>();
  const groups = folders
    .filter(({ name }) => !dropped.has(dropKey(name)))
    .map(({ name: folder, categories }) => ({
      label: folder,
      options: categories.flatMap(({ name: category, links }) => {
        const id = dropKey(folder, category);
        if (id === own || dropped.has(id)) return [];
        places.set(id, { folder, category });
        return [{ id, name: category, detail: formatCount(links.length, 'link', 'links') }];
      }),
    }))
    .filter(({ options }) => options.length > 0);
  return (
    <PickDialog
      open
      onClose={onClose}
      title={describeJoin(place.category)}
      label={words.joinSearch}
      listLabel={words.categories}
      groups={groups}
      emptyText={words.noneToJoin}
      onPick={(id) => {
        const into = places.get(id);
        if (into) onJoin(into);
      }}
    />
  );
}
