import { Button } from '../button.tsx';

interface LoadErrorProps {
  readonly title: string;
  readonly description: string;
  readonly onRetry: () => void;
}

/** Stands where something could not be read. */
export function LoadError({ title, description, onRetry }: LoadErrorProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-1 px-3 py-8 text-center">
      <p className="text-base font-medium text-ink">{title}</p>
      <p className="text-sm text-ink-soft">{description}</p>
      <Button className="mt-3" onClick={onRetry}>
        Tentar de novo
      </Button>
    </div>
  );
}
