import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useDocumentTitle } from '../../shared/lib/use-document-title.ts';
import { Logo } from '../../shared/ui/logo.tsx';

interface LegalPageProps {
  readonly title: string;
  /** Link to the other legal page. */
  readonly other: ReactNode;
  readonly children: ReactNode;
}

/** A page of legal text, linking to /login and to its sibling. */
export function LegalPage({ title, other, children }: LegalPageProps) {
  useDocumentTitle(title);
  return (
    <div className="mx-auto min-h-dvh max-w-prose px-6 py-6">
      <header className="flex items-center justify-between">
        <Link to="/" className="rounded" aria-label="Linkoteca, página inicial">
          <Logo />
        </Link>
        <Link to="/login" className="rounded-sm text-base font-medium text-accent-text hover:underline">
          Entrar
        </Link>
      </header>
      <main className="py-12 text-lg leading-relaxed text-ink-soft [&_h2]:mt-8 [&_h2]:mb-2 [&_h2]:font-semibold [&_h2]:text-ink [&_p+p]:mt-3">
        <h1 className="text-2xl font-semibold tracking-tight text-ink">{title}</h1>
        <p className="mt-1 text-base text-ink-faint">Última atualização: 11 de maio de 2025</p>
        {children}
      </main>
      <footer className="border-t border-line py-5 text-base text-accent-text">{other}</footer>
    </div>
  );
}
