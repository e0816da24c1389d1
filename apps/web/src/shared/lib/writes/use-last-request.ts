import { useState } from 'react';

export interface LastRequest<Request> {
  /** Counts the openings; as a React key it gives each opening a fresh dialog. */
  readonly key: number;
  readonly request: Request;
  readonly open: boolean;
}

/**
 * What a dialog shows while it fades out: the request that opened it, though the state that asked for it is gone.
 * Null before the first request.
 */
export function useLastRequest<Request extends object>(request: Request | null): LastRequest<Request> | null {
  const [last, setLast] = useState<LastRequest<Request> | null>(null);
  const become = (next: LastRequest<Request>) => {
    setLast(next);
    return next;
  };
  if (request === null) return last?.open ? become({ ...last, open: false }) : last;
  // Also the same request again, once its dialog was closed: what was typed there is thrown away.
  if (last?.open && last.request === request) return last;
  return become({ key: (last?.key ?? 0) + 1, request, open: true });
}
