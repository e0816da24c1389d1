import type { FavoriteEntry } from '../model/favorite-entries.ts';
import { FavoriteAnchor } from './favorite-anchor.tsx';

/** As many as fit in two lines; the sidebar has them all. */
const SHOWN = 8;

interface FavoriteChipsProps {
  readonly entries: readonly FavoriteEntry[];
  readonly onOpenCategory: (categoryId: string) => void;
}

/** The favourites on the dashboard, one press away; nothing where nothing is starred. */
export function FavoriteChips({ entries, onOpenCategory }: FavoriteChipsProps) {
  if (entries.length === 0) return null;
  return (
    <div className="mt-7">
      <h2 className="text-lg font-semibold">Seus favoritos</h2>
      <ul className="mt-3 flex flex-wrap gap-2">
        {entries.slice(0, SHOWN).map((entry) => (
          <li key={entry.id} className="min-w-0 max-w-full sm:max-w-64">
            <FavoriteAnchor
              entry={entry}
              className="flex h-10 items-center gap-1.5 rounded border border-line bg-surface pr-3.5 pl-2 text-base transition-colors hover:border-edge-soft pointer-coarse:h-11"
              onOpenCategory={onOpenCategory}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
