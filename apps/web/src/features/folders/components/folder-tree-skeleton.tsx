import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { VisuallyHidden } from '../../../shared/ui/visually-hidden.tsx';

/** Three folders with two categories each, while nothing is cached. */
export function FolderTreeSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-px">
      <VisuallyHidden>
        <span role="status">Carregando pastas...</span>
      </VisuallyHidden>
      {['w-28', 'w-20', 'w-24'].map((width) => (
        <div key={width}>
          <div className="flex h-8 items-center gap-2 px-2 pointer-coarse:h-11">
            <Skeleton className="ml-5 h-4 w-1" />
            <Skeleton className={`h-3.5 ${width}`} />
          </div>
          {['w-24', 'w-32'].map((inner) => (
            <div key={inner} className="flex h-8 items-center pl-8 pointer-coarse:h-11">
              <Skeleton className={`h-3 ${inner}`} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
