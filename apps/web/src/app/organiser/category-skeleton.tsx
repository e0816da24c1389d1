import { LinksSkeleton } from '../../features/links/components/links-skeleton.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';

/** The shape of a category before anything of it is known. */
export function CategorySkeleton() {
  return (
    <>
      <h1 className="sr-only">Categoria</h1>
      <Skeleton className="h-3.5 w-32" />
      <Skeleton className="mt-3 h-6 w-56" />
      <div className="mt-8">
        <LinksSkeleton view="grid" />
      </div>
    </>
  );
}
