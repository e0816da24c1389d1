import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isOpenedByDevice } from '../captures/is-opened-by-device.ts';
import { readCapturedLinks } from '../captures/read-captured-links.ts';
import { useCaptureWithWords } from '../captures/use-capture.ts';
import { useOrganiserDialogs } from '../organiser/dialogs/organiser-dialogs-context.ts';
import { takeArrival } from './kept-arrival.ts';
import { PageBody } from './page-body.tsx';
import { readSharedText } from './read-shared-text.ts';

/**
 * Where a phone's share menu leads: what it shares is in the inbox, without a question. Whoever came by an address in a browser, now or
 * before they signed in, and whatever holds no address, gets the form of a new link, over the dashboard.
 */
export function ShareRoute() {
  const shared = useSearch({ from: '/shell/share-target' });
  const { href } = useLocation();
  const ask = useOrganiserDialogs();
  const navigate = useNavigate();
  const capture = useCaptureWithWords();
  const begun = useRef(false);

  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    // It is seen: no other page has to offer it.
    const arrival = takeArrival();
    // What is too long is not kept: then it is another address's.
    const isShared = isOpenedByDevice(window) || (arrival?.href === href && arrival.isShared);
    const captures = shared.asks === undefined && isShared ? readCapturedLinks(shared) : [];
    const askOrCapture = async () => {
      // Replaced: going back, or a reload, must not add the link a second time.
      await navigate({ to: '/dashboard', replace: true });
      if (captures.length > 0 && (await capture(captures))) return;
      ask({ kind: 'add-link', start: readSharedText(shared) });
    };
    void askOrCapture();
  }, [shared, href, ask, navigate, capture]);
  return <PageBody title="Adicionar link">{null}</PageBody>;
}
