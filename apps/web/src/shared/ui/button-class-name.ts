export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'small' | 'medium' | 'large';

const base =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded font-medium whitespace-nowrap select-none ' +
  'transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-progress aria-disabled:opacity-70 ' +
  '[&_svg]:size-4 [&_svg]:shrink-0';

const sizes: Record<ButtonSize, string> = {
  small: 'hit-area h-7 px-2.5 text-sm pointer-coarse:h-11',
  medium: 'h-8 px-3 text-base pointer-coarse:h-11',
  large: 'h-10 px-4 text-base pointer-coarse:h-11',
};

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong active:bg-accent-strong',
  secondary: 'border border-edge-soft bg-surface text-ink hover:bg-sunken active:bg-press',
  quiet: 'text-ink-soft hover:bg-hover hover:text-ink active:bg-press',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong active:bg-danger-strong',
};

/** Class names of a button, for links that look like one: `<Link className={buttonClassName('primary', 'large')}>`. */
export function buttonClassName(variant: ButtonVariant = 'secondary', size: ButtonSize = 'medium'): string {
  return `${base} ${sizes[size]} ${variants[variant]}`;
}
