import { Suspense } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

const ProviderButtons = lazyPart(
  () => import('./provider-buttons.tsx'),
  (module) => module.ProviderButtons,
);

/** The ways in with other providers, only where the installation has any: their code comes only there. */
export function ProviderEntry({ from }: { readonly from: string | undefined }) {
  const { length } = useBackend().config.signInProviders;
  if (length === 0) return null;
  return (
    // As high as what comes: the form below must not jump.
    <Suspense fallback={<div style={{ height: 44 + 56 * length }} />}>
      <ProviderButtons from={from} />
    </Suspense>
  );
}
