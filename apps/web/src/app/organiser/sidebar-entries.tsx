import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../shared/lib/browser/lazy-part.tsx';
import { whenIdle } from '../../shared/lib/browser/when-idle.ts';

/** Whether they were fetched. The drawer is made anew at each opening: it must not wait anew, and push its tree down. */
let areThere = false;

const Inbox = lazyPart(
  () => import('./inbox/inbox-entry-host.tsx'),
  (module) => module.InboxEntryHost,
);
const SavedSearches = lazyPart(
  () => import('./saved-searches/saved-searches-panel.tsx'),
  (module) => module.SavedSearchesPanel,
);
const AccessRequests = lazyPart(
  () => import('../../features/sharing/components/access-requests-entry.tsx'),
  (module) => module.AccessRequestsEntry,
);

/** Fetches what the sidebar shows last, before a drawer is opened. */
export async function preloadSidebarEntries(): Promise<void> {
  await Promise.allSettled([Inbox.preload(), SavedSearches.preload(), AccessRequests.preload()]);
  areThere = true;
}

/** The inbox in the sidebar. Its code comes in an idle moment. */
export const InboxHost = afterFirstIdle(Inbox);
/** The saved searches in the sidebar. Even whether there are any is asked in an idle moment, or when a drawer is opened. */
export const SavedSearchesHost = afterFirstIdle(SavedSearches);
/** Who waits for an answer, in the sidebar. Its code comes in an idle moment. */
export const AccessRequestsHost = afterFirstIdle(AccessRequests);

function afterFirstIdle<Props extends object>(Part: ComponentType<Props>): ComponentType<Props> {
  return function SidebarEntry(props: Props) {
    const [wanted, setWanted] = useState(areThere);
    useEffect(() => (wanted ? undefined : whenIdle(() => setWanted(true))), [wanted]);
    return wanted ? (
      <Suspense>
        <Part {...props} />
      </Suspense>
    ) : null;
  };
}
