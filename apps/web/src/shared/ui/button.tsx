import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { joinClassNames } from '../lib/browser/join-class-names.ts';
import type { ButtonSize, ButtonVariant } from './button-class-name.ts';
import { buttonClassName } from './button-class-name.ts';
import { lockProps, PlanLockMark } from './plan-lock.tsx';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  /** Words that take the label's place while the action runs; the button then ignores presses. */
  readonly busyLabel?: string | undefined;
  readonly busy?: boolean;
  readonly icon?: ReactNode;
  /** What the plan lacks for it, or how full it is: said before the press. Null where there is nothing to say. */
  readonly lock?: string | null;
  readonly ref?: Ref<HTMLButtonElement>;
}

/**
 * The button of the whole product. A busy button keeps focus (it is aria-disabled, not disabled), so that
 * keyboard users are not thrown back to the top of the page while something is being saved.
 */
export function Button({
  variant = 'secondary',
  size = 'medium',
  busy = false,
  busyLabel,
  icon,
  lock = null,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      {...lockProps(lock)}
      type={type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      className={joinClassNames(buttonClassName(variant, size), className)}
    >
      {icon}
      {/* Goes as a whole: a page's translation puts others in place of bare text, which then cannot be taken away. */}
      <span key={String(busy)} className="contents">
        {(busy && busyLabel) || children}
      </span>
      {lock === null ? null : <PlanLockMark />}
    </button>
  );
}
