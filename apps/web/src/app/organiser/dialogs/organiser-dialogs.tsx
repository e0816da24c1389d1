import type { ReactNode } from 'react';
import { Suspense, useState } from 'react';
import { useRenewRecentLinks } from '../../../features/dashboard/api/use-renew-recent-links.ts';
import { usePastedLinks } from '../../../features/links/model/use-pasted-links.ts';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { useIdlePreload } from '../../../shared/lib/browser/use-idle-preload.ts';
import { useLastRequest } from '../../../shared/lib/writes/use-last-request.ts';
import { useUndoKey } from '../../../shared/lib/writes/use-undo-key.ts';
import { OrganiserDialogsContext, type OrganiserRequest } from './organiser-dialogs-context.ts';

const loadHost = () => import('./organiser-dialog-host.tsx');
const OrganiserDialogHost = lazyPart(loadHost, (module) => module.OrganiserDialogHost);

/** Gives the whole shell the organiser's dialogs, pasting of links, and the undo key. Their code comes after the page, before one is asked for. */
export function OrganiserDialogs({ children }: { readonly children: ReactNode }) {
  const [request, setRequest] = useState<OrganiserRequest | null>(null);
  const last = useLastRequest(request);
  useIdlePreload(loadHost);
  useRenewRecentLinks();
  usePastedLinks((text) => setRequest({ kind: 'paste-links', text }));
  useUndoKey();
  return (
    <OrganiserDialogsContext value={setRequest}>
      {children}
      {last ? (
        <Suspense>
          <OrganiserDialogHost
            key={last.key}
            request={last.request}
            open={last.open}
            // Only its own request: a save that ends late must not close the dialog opened after it.
            onClose={() => setRequest((current) => (current === last.request ? null : current))}
          />
        </Suspense>
      ) : null}
    </OrganiserDialogsContext>
  );
}
