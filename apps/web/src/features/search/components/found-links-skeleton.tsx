import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { VisuallyHidden } from '../../../shared/ui/visually-hidden.tsx';

const PLACES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

/** The shape of the results that come. */
export function FoundLinksSkeleton() {
  return (
    <div aria-busy="true">
      <VisuallyHidden>
        <span role="status">Buscando...</span>
      </VisuallyHidden>
      <div className="overflow-clip rounded-lg border border-line bg-surface">
        {PLACES.map((place) => (
          <div key={place} className="flex h-16 items-center gap-3 border-b border-line px-3 last:border-b-0">
            <Skeleton className="size-4" />
            <div className="flex flex-1 flex-col gap-2">
              <Skeleton className="h-3.5 w-2/5" />
              <Skeleton className="h-2.5 w-3/5" />
            </div>
            <Skeleton className="h-3 w-16" />
          </div>
        ))}
      </div>
    </div>
  );
}
