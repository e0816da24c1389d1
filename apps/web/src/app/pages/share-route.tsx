import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useOrganiserDialogs } from '../organiser/dialogs/organiser-dialogs-context.ts';
import { takeArrival } from './kept-arrival.ts';
import { PageBody } from './page-body.tsx';
import { readSharedText } from './read-shared-text.ts';

/** Where a phone's share menu leads: the form of a new link with what was shared, over the dashboard. */
export function ShareRoute() {
  const shared = useSearch({ from: '/shell/share-target' });
  const ask = useOrganiserDialogs();
  const navigate = useNavigate();
  const begun = useRef(false);

  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    // It is seen: no other page has to offer it.
    takeArrival();
    const start = readSharedText(shared);
    // Replaced: going back, or a reload, must not add the link a second time.
    void navigate({ to: '/dashboard', replace: true }).then(() => ask({ kind: 'add-link', start }));
  }, [shared, ask, navigate]);
  return <PageBody title="Adicionar link">{null}</PageBody>;
}
