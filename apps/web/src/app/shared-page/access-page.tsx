import type { ReactNode } from 'react';
import { VisitorBar } from '../../features/shell/components/visitor-bar.tsx';

/** What stands at / for whoever was sent there from a shared category: a screen that says why. */
export function AccessPage({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col bg-paper">
      <VisitorBar />
      <main className="mx-auto flex w-full max-w-md flex-1 flex-col justify-center px-6 py-8">
        {children}
      </main>
    </div>
  );
}
