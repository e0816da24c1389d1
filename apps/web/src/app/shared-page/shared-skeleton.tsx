import { ACCESS_MESSAGES } from '@linkoteca/domain/messages/access-messages';
import { Skeleton } from '../../shared/ui/feedback/skeleton.tsx';

const PLACES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

/** The shape of a shared category while access is checked. */
export function SharedSkeleton() {
  return (
    <div aria-busy="true">
      <p role="status" className="sr-only">
        {ACCESS_MESSAGES.checking}
      </p>
      <h1 className="sr-only">Categoria</h1>
      <Skeleton className="h-7 w-56 max-w-full" />
      <Skeleton className="mt-4 h-4 w-72 max-w-full" />
      <div className="mt-8 grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-3">
        {PLACES.map((place) => (
          <Skeleton key={place} className="h-36" />
        ))}
      </div>
    </div>
  );
}
