import { formatCount } from '@linkoteca/domain/formats';
import { pickHue } from '@linkoteca/domain/pick-hue';
import { useMemo, useRef, useState } from 'react';
import type { LinkMoveRequest } from '../../../features/links/components/link-browser-props.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { PickDialog } from '../../../shared/ui/dialogs/pick-dialog.tsx';
import type { PickGroup } from '../../../shared/ui/dialogs/pick-options.ts';
import { useLinkMoving } from '../moving/use-link-moving.ts';
import { useLibrary } from '../use-library.ts';
import { readRecentTargets } from './recent-targets.ts';

interface MoveLinksDialogProps {
  readonly open: boolean;
  /** All its links are of one category. */
  readonly request: LinkMoveRequest;
  readonly onClose: () => void;
}

/** 'Mover link', 'Mover 3 links': where to? Choosing moves. */
export function MoveLinksDialog({ open, request, onClose }: MoveLinksDialogProps) {
  const { links } = request;
  const chosen = useRef(false);
  const move = useLinkMoving();
  const groups = useTargetGroups(links[0]?.category_id ?? '');
  return (
    <PickDialog
      open={open}
      onClose={onClose}
      title={links.length === 1 ? 'Mover link' : `Mover ${formatCount(links.length, 'link', 'links')}`}
      description={links.length === 1 ? links[0]?.title : undefined}
      finalFocus={() => (chosen.current ? (request.focusAfter() ?? document.getElementById('page')) : true)}
      label="Buscar categoria"
      listLabel="Categorias"
      groups={groups}
      emptyText="Nenhuma categoria encontrada"
      onPick={(categoryId) => {
        chosen.current = true;
        onClose();
        request.onMoved();
        void move(links, categoryId);
      }}
    />
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
