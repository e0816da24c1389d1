import { Link } from '@tanstack/react-router';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { EmptyState } from '../../../shared/ui/feedback/empty-state.tsx';
import { AdminPage } from './admin-page.tsx';

/** A path below /diane that leads nowhere. */
export function UnknownPage() {
  return (
    <AdminPage title="Página não encontrada">
      <EmptyState
        title="Este endereço não leva a nenhuma página da administração."
        action={
          <Link to="/diane/$" params={{ _splat: '' }} className={buttonClassName()}>
            Ir para o painel
          </Link>
        }
      />
    </AdminPage>
  );
}
