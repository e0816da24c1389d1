import { Link } from '@tanstack/react-router';
import { VisitorBar } from '../../features/shell/components/visitor-bar.tsx';
import { useDocumentTitle } from '../../shared/lib/use-document-title.ts';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';

/** Any path that leads nowhere. */
export function NotFoundPage() {
  useDocumentTitle('Página não encontrada');
  return (
    <div className="flex min-h-dvh flex-col bg-paper">
      <VisitorBar />
      <main className="mx-auto flex max-w-md flex-1 flex-col items-center justify-center gap-2 px-6 py-16 text-center">
        <h1 className="text-2xl font-semibold tracking-tight">Página não encontrada</h1>
        <p className="text-base text-ink-soft">
          Este endereço não leva a nenhuma estante. Ele pode ter mudado, ou veio com uma letra a mais.
        </p>
        <Link to="/" className={`${buttonClassName('secondary', 'large')} mt-4`}>
          Ir para o início
        </Link>
      </main>
    </div>
  );
}
