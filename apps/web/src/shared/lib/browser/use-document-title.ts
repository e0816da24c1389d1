import { useEffect } from 'react';

/** Names the browser's tab while the screen is shown: 'Entrar · Linkoteca'. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Linkoteca` : 'Linkoteca';
  }, [title]);
}
