import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { log } from '../../shared/lib/log.ts';
import { ErrorScreen } from '../../shared/ui/error-screen.tsx';

/** Shown where a route failed; trying again loads it anew. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  useEffect(() => log.error('a route failed', error), [error]);
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <ErrorScreen extent="part" onRetry={retry} />;
}
