import { Suspense, useEffect, useState } from 'react';
import type { AccessRequestsEntryProps } from '../../features/sharing/components/access-requests-entry.tsx';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { whenIdle } from '../../shared/lib/browser/when-idle.ts';

const AccessRequestsEntry = lazyPart(
  () => import('../../features/sharing/components/access-requests-entry.tsx'),
  (module) => module.AccessRequestsEntry,
);

/** Who waits for an answer, in the sidebar. Its code comes in an idle moment. */
export function AccessRequestsHost(props: AccessRequestsEntryProps) {
  const [wanted, setWanted] = useState(false);
  useEffect(() => whenIdle(() => setWanted(true)), []);
  return wanted ? (
    <Suspense>
      <AccessRequestsEntry {...props} />
    </Suspense>
  ) : null;
}
