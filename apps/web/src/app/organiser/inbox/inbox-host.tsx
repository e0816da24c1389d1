import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { whenIdle } from '../../../shared/lib/browser/when-idle.ts';
import type { InboxEntryHostProps } from './inbox-entry-host.tsx';

const InboxEntryHost = lazyPart(
  () => import('./inbox-entry-host.tsx'),
  (module) => module.InboxEntryHost,
);

/** The inbox in the sidebar. Its code comes in an idle moment. */
export function InboxHost(props: InboxEntryHostProps) {
  const [wanted, setWanted] = useState(false);
  useEffect(() => whenIdle(() => setWanted(true)), []);
  return wanted ? (
    <Suspense>
      <InboxEntryHost {...props} />
    </Suspense>
  ) : null;
}
