/** The product's mark: three book spines, one leaning. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" className="size-6 shrink-0" aria-hidden="true">
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
  );
}
