import { Link } from '@tanstack/react-router';
import { useDocumentTitle } from '../../shared/lib/use-document-title.ts';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import { Logo } from '../../shared/ui/logo.tsx';

/** Any path that leads nowhere. */
export function NotFoundPage() {
  useDocumentTitle('Página não encontrada');
  return (
    <main className="grid min-h-dvh place-items-center bg-paper px-6 py-16 text-center">
      <div className="flex max-w-md flex-col items-center gap-2">
        <Logo markOnly className="mb-4" />
        <h1 className="text-2xl font-semibold tracking-tight">Página não encontrada</h1>
        <p className="text-base text-ink-soft">
          Este endereço não leva a nenhuma estante. Ele pode ter mudado, ou veio com uma letra a mais.
        </p>
        <Link to="/" className={`${buttonClassName('primary', 'large')} mt-4`}>
          Ir para o início
        </Link>
      </div>
    </main>
  );
}
