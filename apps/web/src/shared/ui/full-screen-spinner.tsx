import { Spinner } from './spinner.tsx';

/** The spinner alone on the page, while nothing else can be shown. */
export function FullScreenSpinner({ label }: { readonly label?: string }) {
  return (
    <main className="grid min-h-dvh place-items-center bg-paper">
      <Spinner {...(label ? { label } : {})} />
    </main>
  );
}
