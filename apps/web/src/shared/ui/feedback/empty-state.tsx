import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  /** 1 where the title is the whole page's. */
  readonly heading?: 1 | undefined;
  readonly description?: ReactNode;
  /** The one button that ends the emptiness. */
  readonly action?: ReactNode;
}

/** Teaches what will be here: one line, one hint, one button. */
export function EmptyState({ icon, title, heading, description, action }: EmptyStateProps) {
  const Title = heading === 1 ? 'h1' : 'p';
  return (
    <div className="flex flex-col items-center gap-1.5 px-4 py-12 text-center">
      {icon ? <span className="mb-2 text-ink-faint [&_svg]:size-8 [&_svg]:stroke-[1.25]">{icon}</span> : null}
      <Title className="text-lg font-medium text-ink">{title}</Title>
      {description ? <div className="max-w-sm text-base text-ink-soft">{description}</div> : null}
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  );
}
