import { Skeleton } from '../../../shared/ui/skeleton.tsx';

/** The shape of the three choices while the stored one is read. */
export function SharingSkeleton() {
  return (
    <div role="status" aria-label="Carregando..." className="flex flex-col gap-2">
      {['privada', 'pública', 'restrita'].map((row) => (
        <Skeleton key={row} className="h-11 w-full" />
      ))}
    </div>
  );
}
