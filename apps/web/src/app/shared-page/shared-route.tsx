import { readSharedId } from '@linkoteca/domain/shared-address';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '../../shared/lib/session/session-context.tsx';
import { MissingScreen } from './access-screens.tsx';
import { SharedData } from './shared-data.tsx';
import { SharedFrame } from './shared-frame.tsx';
import { SharedPage } from './shared-page.tsx';
import { SharedSkeleton } from './shared-skeleton.tsx';

/** /shared/…, for everybody: whoever they are, the database says what they see. */
export function SharedRoute() {
  const { address } = useParams({ from: '/shared/$address' });
  const session = useSession();
  const id = readSharedId(address);
  const userId = session.status === 'signed-in' ? session.person.id : null;
  return (
    <SharedFrame from={`/shared/${encodeURIComponent(address)}`}>
      {id === null ? (
        <MissingScreen />
      ) : session.status === 'loading' ? (
        <SharedSkeleton />
      ) : (
        // Another person is another look: nothing that one saw stays for the next.
        <SharedData key={`${userId}-${id}`}>
          <Arrival categoryId={id} />
        </SharedData>
      )}
    </SharedFrame>
  );
}

/** Reads once how somebody came, and leaves the address as one would pass it on. */
function Arrival({ categoryId }: { readonly categoryId: string }) {
  const search = useSearch({ from: '/shared/$address' });
  const navigate = useNavigate();
  const [arrival] = useState(search);
  const plain = Object.values(search).every((value) => value === undefined);

  useEffect(() => {
    if (!plain) void navigate({ to: '.', search: {}, replace: true });
  }, [plain, navigate]);
  return (
    <SharedPage
      categoryId={categoryId}
      cameRevoked={arrival.revoked !== undefined}
      cameToCopy={arrival.copy !== undefined}
    />
  );
}
