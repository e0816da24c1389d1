import { Link } from '@tanstack/react-router';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import { VisitorPage } from './visitor-page.tsx';

/** Any path that leads nowhere. */
export function NotFoundPage() {
  useDocumentTitle('Página não encontrada');
  return (
    <VisitorPage className="items-center gap-2 py-16 text-center">
      <h1 className="text-2xl font-semibold tracking-tight">Página não encontrada</h1>
      <p className="text-base text-ink-soft">
        Este endereço não leva a nenhuma estante. Ele pode ter mudado, ou veio com uma letra a mais.
      </p>
      <Link to="/" className={`${buttonClassName('secondary', 'large')} mt-4`}>
        Ir para o início
      </Link>
    </VisitorPage>
  );
}
