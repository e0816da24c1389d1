import { useState } from 'react';

export interface LastRequest<Request> {
  /** Counts the requests; as a React key it gives each opening a fresh dialog. */
  readonly key: number;
  readonly request: Request;
  readonly open: boolean;
}

/**
 * What a dialog shows while it fades out: the request that opened it, though the state that asked for it is gone.
 * Null before the first request.
 */
export function useLastRequest<Request extends object>(request: Request | null): LastRequest<Request> | null {
  const [last, setLast] = useState<{ readonly key: number; readonly request: Request } | null>(null);
  if (request !== null && request !== last?.request) {
    const next = { key: (last?.key ?? 0) + 1, request };
    setLast(next);
    return { ...next, open: true };
  }
  return last && { ...last, open: request !== null };
}
