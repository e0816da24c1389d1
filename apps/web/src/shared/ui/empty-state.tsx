import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly description?: ReactNode;
  /** The one button that ends the emptiness. */
  readonly action?: ReactNode;
}

/** Teaches what will be here: one line, one hint, one button. */
export function EmptyState({ icon, title, description, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-1.5 px-4 py-12 text-center">
      {icon ? <span className="mb-2 text-ink-faint [&_svg]:size-8 [&_svg]:stroke-[1.25]">{icon}</span> : null}
      <p className="text-lg font-medium text-ink">{title}</p>
      {description ? <div className="max-w-sm text-base text-ink-soft">{description}</div> : null}
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  );
}
