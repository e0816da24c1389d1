import type { ReactNode } from 'react';
import { VisitorBar } from '../../features/shell/components/visitor-bar.tsx';
import { useDocumentTitle } from '../../shared/lib/use-document-title.ts';

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
    <div className="min-h-dvh bg-paper">
      <VisitorBar />
      <main className="mx-auto max-w-prose px-6 py-12 text-lg leading-relaxed text-ink-soft [&_h2]:mt-8 [&_h2]:mb-2 [&_h2]:font-semibold [&_h2]:text-ink [&_p+p]:mt-3">
        <h1 className="text-2xl font-semibold tracking-tight text-ink">{title}</h1>
        <p className="mt-1 text-base text-ink-faint">Última atualização: 11 de maio de 2025</p>
        {children}
      </main>
      <footer className="mx-auto max-w-prose border-t border-line px-6 py-5 text-base text-accent-text">
        {other}
      </footer>
    </div>
  );
}
