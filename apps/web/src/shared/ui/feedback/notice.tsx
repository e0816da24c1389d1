import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { joinClassNames } from '../../lib/browser/join-class-names.ts';

interface NoticeProps {
  readonly tone?: 'info' | 'success' | 'warning' | 'danger';
  readonly children: ReactNode;
  /** A button or a link at the end. */
  readonly action?: ReactNode;
}

const tones = {
  info: 'bg-sunken text-ink-soft',
  success: 'bg-accent-soft text-accent-text',
  warning: 'bg-warning-soft text-warning-text',
  danger: 'bg-danger-soft text-danger-text',
} as const;

const icons = { info: Info, success: CircleCheck, warning: CircleAlert, danger: CircleAlert } as const;

/** A message that stays in the page, above what it is about. Errors are announced at once. */
export function Notice({ tone = 'info', children, action }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={joinClassNames('flex items-start gap-2.5 rounded px-3 py-2.5 text-base', tones[tone])}
    >
      <Icon aria-hidden className={joinClassNames('size-4 shrink-0', action ? 'mt-1.5' : 'mt-0.5')} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1.5">
        <div className="min-w-0 flex-1 basis-48">{children}</div>
        {action}
      </div>
    </div>
  );
}
