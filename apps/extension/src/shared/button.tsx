import type { ComponentProps } from 'react';

const SHAPE =
  'inline-flex h-9 items-center justify-center gap-2 rounded px-3 font-medium transition-colors disabled:opacity-55';
const LOOKS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  plain: 'border border-edge-soft bg-surface text-ink hover:bg-hover',
  quiet: 'text-ink-soft hover:bg-hover hover:text-ink',
} as const;

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'type'> {
  readonly look?: keyof typeof LOOKS;
  readonly type?: 'button' | 'submit';
}

export function Button({ look = 'plain', type = 'button', ...props }: ButtonProps) {
  return <button type={type} className={`${SHAPE} ${LOOKS[look]}`} {...props} />;
}
