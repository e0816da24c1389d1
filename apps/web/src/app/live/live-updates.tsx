import { type ReactNode, useState } from 'react';
import { LiveContext } from './live-context.tsx';
import { createLiveStore } from './live-store.ts';
import { useLiveUpdates } from './use-live-updates.ts';

/** Keeps what is below true to what changes elsewhere. */
export function LiveUpdates({ children }: { readonly children: ReactNode }) {
  const [store] = useState(createLiveStore);
  return (
    <LiveContext value={store}>
      <Listening />
      {children}
    </LiveContext>
  );
}

/** Nothing to see: renders at each page, which what is around it need not. */
function Listening() {
  useLiveUpdates();
  return null;
}
