import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { joinClassNames } from '../lib/browser/join-class-names.ts';
import { lockProps, PlanLockMark } from './plan-lock.tsx';

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> {
  /** What the button does, in words: read aloud, and shown as the native tooltip. */
  readonly label: string;
  readonly children: ReactNode;
  /** What the plan lacks for it, or how full it is: said before the press, with a lock for the icon. Null where there is nothing to say. */
  readonly lock?: string | null;
  readonly size?: 'small' | 'medium';
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A square, quiet button with one icon. It uses the native title: rows must not each mount a tooltip. */
export function IconButton({
  label,
  children,
  lock = null,
  size = 'medium',
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      title={label}
      {...rest}
      {...lockProps(lock)}
      type={type}
      aria-label={label}
      className={joinClassNames(
        'inline-flex shrink-0 items-center justify-center rounded text-ink-soft transition-colors hover:bg-hover hover:text-ink',
        'active:bg-press disabled:cursor-not-allowed disabled:opacity-50 data-popup-open:bg-hover data-popup-open:text-ink [&_svg]:size-4',
        size === 'small'
          ? 'hit-area size-6 pointer-coarse:size-11'
          : 'size-8 pointer-coarse:size-11 pointer-coarse:[&_svg]:size-5',
        className,
      )}
    >
      {lock === null ? children : <PlanLockMark />}
    </button>
  );
}
