import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Bookshelf } from '../../../shared/ui/bookshelf.tsx';
import { Logo } from '../../../shared/ui/logo.tsx';

interface AuthLayoutProps {
  readonly title: string;
  readonly lead: ReactNode;
  readonly children: ReactNode;
}

/** The form at the left, the shelf at the right; on phones the form alone. */
export function AuthLayout({ title, lead, children }: AuthLayoutProps) {
  return (
    <div className="grid min-h-dvh bg-paper lg:grid-cols-[minmax(28rem,5fr)_6fr]">
      <div className="flex flex-col px-6 py-6 sm:px-10">
        <header>
          <Link to="/" className="hit-area inline-flex rounded" aria-label="Linkoteca, página inicial">
            <Logo />
          </Link>
        </header>
        <main className="mx-auto flex w-full max-w-88 flex-1 flex-col justify-center py-10">
          <h1 className="text-2xl font-semibold tracking-tight text-ink">{title}</h1>
          <div className="mt-1.5 mb-7 text-base text-ink-soft">{lead}</div>
          {children}
        </main>
        <footer className="flex gap-4 text-sm text-ink-faint">
          <Link to="/terms" className="hit-area rounded-sm hover:text-ink hover:underline">
            Termos de uso
          </Link>
          <Link to="/privacy-policy" className="hit-area rounded-sm hover:text-ink hover:underline">
            Política de privacidade
          </Link>
        </footer>
      </div>
      <aside
        aria-hidden="true"
        className="relative hidden flex-col justify-end overflow-hidden border-l border-line bg-sidebar lg:flex"
      >
        <p className="max-w-md px-12 pb-16 text-2xl font-medium tracking-tight text-balance text-ink">
          Tudo o que você guardou, no lugar em que vai procurar.
        </p>
        <Bookshelf className="ml-12 h-[30vh] min-h-44 w-auto max-w-none self-start" />
        <div className="h-24 border-t-4 border-line bg-sunken" />
      </aside>
    </div>
  );
}
