import { type ComponentProps, Suspense } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';

const OrganisationForm = lazyPart(
  () => import('./organisation-form.tsx'),
  (module) => module.OrganisationForm,
);

/** The way in by an organisation, only where the installation has any: its code comes only there. */
export function OrganisationEntry(props: ComponentProps<typeof OrganisationForm>) {
  const { organisations = false } = useBackend().config;
  if (!organisations) return null;
  return (
    // As high as what comes.
    <Suspense fallback={<div className="h-11" />}>
      <OrganisationForm {...props} />
    </Suspense>
  );
}
