interface StarProps {
  readonly filled: boolean;
  readonly className?: string | undefined;
}

/** The star of a favourite: filled where something is one. Decorative; what stands around it says it in words. */
export function Star({ filled, className }: StarProps) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="2"
      strokeLinejoin="round"
      className={className}
    >
      <path d="M12 2.5l2.9 6 6.6.9-4.8 4.6 1.2 6.5-5.9-3.1-5.9 3.1 1.2-6.5L2.5 9.4l6.6-.9z" />
    </svg>
  );
}
