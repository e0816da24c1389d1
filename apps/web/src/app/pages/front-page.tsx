import { Link, Navigate, useLocation } from '@tanstack/react-router';
import { FolderTree, Search, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../../shared/lib/session/session-context.tsx';
import { useDocumentTitle } from '../../shared/lib/use-document-title.ts';
import { Bookshelf } from '../../shared/ui/bookshelf.tsx';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import { FullScreenSpinner } from '../../shared/ui/full-screen-spinner.tsx';
import { Logo } from '../../shared/ui/logo.tsx';
import { RevokedPage } from '../shared-page/revoked-page.tsx';

/**
 * /: signed-in people go to their dashboard; visitors read what this is. Whoever was sent here because their access to a
 * shared category ended reads that first.
 */
export function FrontPage() {
  useDocumentTitle('');
  const session = useSession();
  const accessRevoked = useLocation({ select: ({ state }) => state.accessRevoked });
  if (session.status === 'loading') return <FullScreenSpinner />;
  if (accessRevoked) return <RevokedPage />;
  if (session.status === 'signed-in') return <Navigate to="/dashboard" replace />;
  return (
    <div className="flex min-h-dvh flex-col bg-paper">
      <header className="mx-auto flex w-full max-w-page items-center justify-between px-6 py-5">
        <Logo />
        <Link to="/login" className={buttonClassName('secondary', 'large')}>
          Acessar
        </Link>
      </header>
      <main className="mx-auto flex w-full max-w-page flex-1 flex-col justify-center px-6 pt-12 pb-16">
        <h1 className="max-w-2xl text-2xl font-semibold tracking-tight text-balance md:text-3xl">
          Seus links merecem uma estante, não uma gaveta.
        </h1>
        <p className="mt-4 max-w-xl text-lg text-ink-soft">
          A Linkoteca guarda seus links em pastas e categorias e os encontra enquanto você digita, com ou sem
          acento.
        </p>
        <div className="mt-8">
          <Link to="/signup" className={buttonClassName('primary', 'large')}>
            Criar Conta Grátis
          </Link>
        </div>
        <ul className="mt-14 grid gap-8 sm:grid-cols-3">
          <Point icon={<FolderTree aria-hidden />} title="Cada coisa em seu lugar">
            Pastas e categorias com a cor da lombada, para reconhecer de relance.
          </Point>
          <Point icon={<Search aria-hidden />} title="Busca que entende você">
            Digite “acao” e encontre “Ação”: no título, no endereço ou na descrição.
          </Point>
          <Point icon={<Undo2 aria-hidden />} title="Nada se perde">
            O que você digita fica guardado como rascunho até ser salvo.
          </Point>
        </ul>
      </main>
      <div aria-hidden="true" className="overflow-hidden">
        <div className="mx-auto max-w-page px-6">
          <Bookshelf className="h-40 w-auto max-w-none" />
        </div>
        <div className="h-1 bg-line" />
      </div>
      <footer className="mx-auto flex w-full max-w-page gap-5 px-6 py-5 text-sm text-ink-faint">
        <Link to="/terms" className="rounded-sm hover:text-ink hover:underline">
          Termos de uso
        </Link>
        <Link to="/privacy-policy" className="rounded-sm hover:text-ink hover:underline">
          Política de privacidade
        </Link>
      </footer>
    </div>
  );
}

interface PointProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
}

function Point({ icon, title, children }: PointProps) {
  return (
    <li className="flex flex-col gap-1.5">
      <span className="text-accent-text [&_svg]:size-5">{icon}</span>
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="text-base text-ink-soft">{children}</p>
    </li>
  );
}
