import { Suspense } from 'react';
import { lazyPart } from '../../../shared/lib/lazy-part.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

const GoogleButton = lazyPart(
  () => import('./google-button.tsx'),
  (module) => module.GoogleButton,
);

/** The way in with Google, only where the installation has it: its code comes only there. */
export function GoogleEntry({ from }: { readonly from: string | undefined }) {
  const { config } = useBackend();
  if (!config.googleEnabled) return null;
  return (
    // As high as what comes: the form below must not jump.
    <Suspense fallback={<div style={{ height: 100 }} />}>
      <GoogleButton from={from} />
    </Suspense>
  );
}
