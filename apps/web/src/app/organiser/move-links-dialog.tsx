import type { Link } from '@linkoteca/domain/entities';
import { formatCount } from '@linkoteca/domain/format-number';
import { pickHue } from '@linkoteca/domain/pick-hue';
import { useMemo, useState } from 'react';
import { useUserId } from '../../shared/lib/session/session-context.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { type PickGroup, PickList } from '../../shared/ui/pick-list.tsx';
import { readRecentTargets } from './recent-targets.ts';
import { useLibrary } from './use-library.ts';
import { useLinkMoving } from './use-link-moving.ts';

interface MoveLinksDialogProps {
  readonly open: boolean;
  /** All of one category. */
  readonly links: readonly Link[];
  readonly onClose: () => void;
  /** A category was chosen. */
  readonly onMoved: () => void;
}

/** 'Mover link', 'Mover 3 links': where to? Choosing moves. */
export function MoveLinksDialog({ open, links, onClose, onMoved }: MoveLinksDialogProps) {
  const move = useLinkMoving();
  const groups = useTargetGroups(links[0]?.category_id ?? '');
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={links.length === 1 ? 'Mover link' : `Mover ${formatCount(links.length, 'link', 'links')}`}
      description={links.length === 1 ? <span className="line-clamp-1">{links[0]?.title}</span> : undefined}
    >
      <PickList
        label="Buscar categoria"
        listLabel="Categorias"
        groups={groups}
        emptyText="Nenhuma categoria encontrada"
        onPick={(categoryId) => {
          onClose();
          onMoved();
          void move(links, categoryId);
        }}
      />
    </Dialog>
  );
}

/** All categories by folder, before them those that links were moved to last. */
function useTargetGroups(currentId: string): readonly PickGroup[] {
  const { shelves, categories, folders } = useLibrary();
  const userId = useUserId();
  const [recentIds] = useState(() => readRecentTargets(userId));
  return useMemo(() => {
    const recent = recentIds.flatMap((id) => {
      const category = id === currentId ? undefined : categories.find((each) => each.id === id);
      const folder = folders.find((each) => each.id === category?.folder_id);
      return category && folder
        ? [{ id, name: category.name, detail: folder.name, icon: <Spine folderId={folder.id} /> }]
        : [];
    });
    const byFolder = shelves.map(({ folder, categories: inside }) => ({
      label: folder.name,
      options: inside.map(({ id, name }) => ({
        id,
        name,
        icon: <Spine folderId={folder.id} />,
        ...(id === currentId ? { disabled: true, detail: 'Categoria atual' } : {}),
      })),
    }));
    return [{ label: 'Recentes', shortcut: true, options: recent.slice(0, 3) }, ...byFolder].filter(
      ({ options }) => options.length > 0,
    );
  }, [shelves, categories, folders, recentIds, currentId]);
}

function Spine({ folderId }: { readonly folderId: string }) {
  return (
    <span
      aria-hidden
      className="h-4 w-1 shrink-0 rounded-full"
      style={{ background: `var(--folder-${pickHue(folderId) + 1})` }}
    />
  );
}
