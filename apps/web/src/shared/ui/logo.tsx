import { joinClassNames } from '../lib/browser/join-class-names.ts';

interface LogoProps {
  /** The mark alone, where there is no room for the name. */
  readonly markOnly?: boolean;
  readonly className?: string;
}

/** Three book spines, one leaning, and the product's name. */
export function Logo({ markOnly = false, className }: LogoProps) {
  return (
    <span className={joinClassNames('inline-flex items-center gap-2.5', className)}>
      <svg viewBox="0 0 32 32" className="size-7 shrink-0" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <path d="M9 8.5v15M14 8.5v15" className="stroke-on-accent" strokeWidth="3" strokeLinecap="round" />
        <path
          d="m19.2 9.2 4.6 14"
          strokeOpacity={0.65}
          className="stroke-on-accent"
          strokeWidth="3"
          strokeLinecap="round"
        />
      </svg>
      <span className={markOnly ? 'sr-only' : 'text-lg font-semibold tracking-tight text-ink'}>
        Linkoteca
      </span>
    </span>
  );
}
