import type { ReactNode } from 'react';
import { lazy, Suspense, useState } from 'react';
import { useLastRequest } from '../../shared/lib/use-last-request.ts';
import { OrganiserDialogsContext, type OrganiserRequest } from './organiser-dialogs-context.ts';

const OrganiserDialogHost = lazy(() =>
  import('./organiser-dialog-host.tsx').then(({ OrganiserDialogHost }) => ({ default: OrganiserDialogHost })),
);

/** Gives the whole shell the organiser's dialogs. Their code comes when the first one is asked for. */
export function OrganiserDialogs({ children }: { readonly children: ReactNode }) {
  const [request, setRequest] = useState<OrganiserRequest | null>(null);
  const last = useLastRequest(request);
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
