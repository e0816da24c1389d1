import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useConnection, useOnline } from '../../shared/lib/connection/connection-context.tsx';
import { log } from '../../shared/lib/log.ts';
import { MissingCodeError } from '../../shared/lib/missing-code-error.ts';
import { ErrorScreen } from '../../shared/ui/feedback/error-screen.tsx';

/** Shown where a route failed; trying again loads it anew. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const codeMissing = error instanceof MissingCodeError;
  useEffect(() => {
    if (!codeMissing) log.error('a route failed', error);
  }, [codeMissing, error]);
  if (codeMissing) return <MissingPage />;
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <ErrorScreen extent="part" onRetry={retry} />;
}

/** The page's code did not arrive. The browser keeps a failed script for good, so only a fresh page can fetch it. */
function MissingPage() {
  const connection = useConnection();
  const online = useOnline();
  const before = useRef(online);
  useEffect(() => {
    if (online && !before.current) window.location.reload();
    before.current = online;
  }, [online]);
  const { title, ...why } = OFFLINE_MESSAGES.codeMissing;
  const retry = async () => {
    // Without network a fresh page would be none at all.
    if (connection === null || (await connection.check())) window.location.reload();
  };
  return (
    <ErrorScreen
      extent="part"
      title={title}
      description={online ? why.online : why.offline}
      onRetry={() => void retry()}
    />
  );
}
