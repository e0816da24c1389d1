import type { ReactNode } from 'react';

interface SectionHeadingProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** A section's heading, and the sentence below it. */
export function SectionHeading({ title, children }: SectionHeadingProps) {
  return (
    <div className="max-w-xl">
      <h2 className="display text-2xl text-ink">{title}</h2>
      {children ? <p className="mt-3 text-lg text-ink-soft">{children}</p> : null}
    </div>
  );
}
