import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { VisuallyHidden } from '../../../shared/ui/visually-hidden.tsx';
import type { LinkView } from '../model/link-view.ts';

const PLACES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] as const;

// One place uses them: they stay out of the style sheet that every screen fetches.
const COVERS = { gridTemplateColumns: 'repeat(auto-fill,minmax(min(15rem,50% - .35rem),1fr))' };
const COVER = { aspectRatio: '6/5' };

/** The shape of the links that come. */
export function LinksSkeleton({ view }: { readonly view: LinkView }) {
  return (
    <div aria-busy="true">
      <VisuallyHidden>
        <span role="status">Carregando links...</span>
      </VisuallyHidden>
      {view === 'covers' ? (
        <div className="grid gap-2.5" style={COVERS}>
          {PLACES.map((place) => (
            <div key={place} style={COVER}>
              <Skeleton className="h-full" />
            </div>
          ))}
        </div>
      ) : view === 'grid' ? (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(min(14.5rem,100%),1fr))] gap-2.5">
          {PLACES.map((place) => (
            <div key={place} className="flex h-27.5 flex-col rounded-lg border border-line bg-surface p-2.5">
              <div className="flex gap-2.5">
                <Skeleton className="size-7" />
                <div className="flex flex-1 flex-col gap-1.5">
                  <Skeleton className="h-3.5 w-3/4" />
                  <Skeleton className="h-2.5 w-1/3" />
                </div>
              </div>
              <Skeleton className="mt-3 h-3 w-full" />
              <Skeleton className="mt-1.5 h-3 w-2/3" />
            </div>
          ))}
        </div>
      ) : (
        <div className="overflow-clip rounded-lg border border-b-0 border-line bg-surface">
          {PLACES.map((place) => (
            <div key={place} className="flex h-11 items-center gap-3 border-b border-line px-3">
              <Skeleton className="size-6" />
              <Skeleton className="h-3.5 w-2/5" />
              <Skeleton className="h-3 flex-1 max-md:hidden" />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
