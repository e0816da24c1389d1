import { VisitorBar } from '../../features/shell/components/visitor-bar.tsx';
import { RevokedScreen } from './access-screens.tsx';

/** What stands at / for whoever looked at a shared category when their access ended. */
export function RevokedPage() {
  return (
    <div className="flex min-h-dvh flex-col bg-paper">
      <VisitorBar />
      <main className="mx-auto flex w-full max-w-md flex-1 flex-col justify-center px-6 py-8">
        <RevokedScreen />
      </main>
    </div>
  );
}
