import type { ReactNode } from 'react';

interface PageBodyProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}

/** Title and content of a page of the shell. */
export function PageBody({ title, lead, children }: PageBodyProps) {
  return (
    <div className="mx-auto max-w-page px-4 py-6 md:px-8 md:py-8">
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      {lead ? <p className="mt-1 text-base text-ink-soft">{lead}</p> : null}
      <div className="mt-5">{children}</div>
    </div>
  );
}
