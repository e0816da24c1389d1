import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { VisuallyHidden } from '../../../shared/ui/visually-hidden.tsx';

const PLACES = ['a', 'b', 'c'] as const;

/** The shape of the groups that come. */
export function RepeatedSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <VisuallyHidden>
        <span role="status">Carregando...</span>
      </VisuallyHidden>
      {PLACES.map((place) => (
        <div key={place} className="flex flex-col gap-3 rounded-lg border border-line bg-surface px-3 py-2.5">
          <Skeleton className="h-3.5 w-2/5" />
          <Skeleton className="h-2.5 w-3/5" />
          <Skeleton className="h-2.5 w-3/5" />
        </div>
      ))}
    </div>
  );
}
