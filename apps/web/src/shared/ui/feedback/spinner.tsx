import { LoaderCircle } from 'lucide-react';

interface SpinnerProps {
  /** Words beside the wheel; read aloud. */
  readonly label?: string;
}

/** A turning wheel with words. For waiting that has no shape yet; lists use Skeleton. */
export function Spinner({ label = 'Carregando...' }: SpinnerProps) {
  return (
    <span role="status" className="inline-flex items-center gap-2.5 text-base text-ink-soft">
      <LoaderCircle aria-hidden className="size-4 animate-spin text-accent" />
      {label}
    </span>
  );
}
