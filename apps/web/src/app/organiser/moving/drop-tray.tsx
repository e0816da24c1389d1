import { useRef } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import type { DragLoad, DragState } from '../../../shared/lib/drag-and-drop/drag-state.ts';
import { useDropZone } from '../../../shared/lib/drag-and-drop/use-drop-zone.ts';
import { FolderSpine } from '../../../shared/ui/folder-spine.tsx';
import { useLibrary } from '../use-library.ts';
import { useLibraryDrops } from './use-library-drops.ts';

interface DropTrayProps {
  readonly drag: DragState;
  /** At the foot of a phone, or beside the sidebar's icons. */
  readonly side: 'foot' | 'start';
}

/** All categories as places to drop links on, while a drag is under way and the tree is not on the screen. */
export function DropTray({ drag, side }: DropTrayProps) {
  const { shelves } = useLibrary();
  const { dropLinks } = useLibraryDrops();
  const tray = useRef<HTMLElement>(null);
  useDropZone(tray, {
    accepts: (load: DragLoad, key: string) => key !== load.homeKey,
    onDrop: dropLinks,
  });
  return (
    <section
      ref={tray}
      aria-label="Mover para uma categoria"
      className={joinClassNames(
        'fixed z-30 overflow-y-auto overscroll-contain border-line bg-surface shadow-float transition-[translate,opacity] ease-out starting:opacity-0',
        side === 'foot'
          ? 'inset-x-0 bottom-0 max-h-[45dvh] rounded-t-lg border-t pb-[env(safe-area-inset-bottom)] starting:translate-y-8'
          : 'inset-y-0 left-(--sidebar-width-collapsed) w-(--sidebar-width) border-r starting:-translate-x-4',
      )}
    >
      <p className="sticky top-0 z-1 border-b border-line bg-surface px-4 py-2.5 text-sm font-medium text-ink-soft">
        Solte em uma categoria
      </p>
      <div className="flex flex-col gap-3 p-3">
        {shelves.map(({ folder, categories }) =>
          categories.length === 0 ? null : (
            <div key={folder.id}>
              <p className="flex items-center gap-2 truncate px-1 pb-1 text-xs font-medium text-ink-faint">
                <FolderSpine folderId={folder.id} />
                {folder.name}
              </p>
              <ul className={joinClassNames('grid gap-1.5', side === 'foot' ? 'grid-cols-2' : 'grid-cols-1')}>
                {categories.map(({ id, name }) => (
                  <li
                    key={id}
                    data-drop-key={id}
                    className={joinClassNames(
                      'flex h-11 items-center rounded border px-3 text-base transition-colors',
                      drag.over?.accepted && drag.over.key === id
                        ? 'border-accent bg-accent-soft text-accent-text'
                        : 'border-line text-ink',
                      drag.load.homeKey === id && 'opacity-50',
                    )}
                  >
                    <span className="truncate">{name}</span>
                  </li>
                ))}
              </ul>
            </div>
          ),
        )}
      </div>
    </section>
  );
}
