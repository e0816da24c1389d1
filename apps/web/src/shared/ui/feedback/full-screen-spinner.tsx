import { Spinner } from './spinner.tsx';

/** The spinner alone, while nothing else can be shown. No landmark: it may stand inside the main part of the shell. */
export function FullScreenSpinner({ label }: { readonly label?: string }) {
  return (
    <div className="grid min-h-dvh place-items-center bg-paper">
      <Spinner {...(label ? { label } : {})} />
    </div>
  );
}
