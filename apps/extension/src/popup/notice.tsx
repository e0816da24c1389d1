import type { ReactNode } from 'react';
import { Mark } from '../shared/mark.tsx';

interface NoticeProps {
  readonly title: string;
  readonly text?: string;
  /** What can be done about it. */
  readonly children?: ReactNode;
}

/** How the press went, in a sentence. */
export function Notice({ title, text, children }: NoticeProps) {
  return (
    <>
      <div role="status" className="flex items-start gap-2.5">
        <Mark />
        <div className="min-w-0 flex-1">
          <h1 className="text-lg font-semibold">{title}</h1>
          {text ? <p className="mt-0.5 text-ink-soft">{text}</p> : null}
        </div>
      </div>
      {children ? <div className="flex flex-wrap gap-2 self-end">{children}</div> : null}
    </>
  );
}
