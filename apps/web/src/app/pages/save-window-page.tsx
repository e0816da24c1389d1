import { CAPTURE_MESSAGES } from '@linkoteca/domain/messages/capture-messages';
import { useSearch } from '@tanstack/react-router';
import { LoginGuard } from '../../features/auth/components/login-guard.tsx';
import { useDocumentTitle } from '../../shared/lib/browser/use-document-title.ts';
import { Logo } from '../../shared/ui/logo.tsx';
import { SaveWindow } from '../captures/save-window.tsx';
import { FolderLooks } from '../organiser/folder-looks.tsx';
import { DataProvider } from '../shell/guarded-shell.tsx';

/** /salvar: one link, one press, in a window of its own. */
export function SaveWindowPage() {
  const { category, ...shared } = useSearch({ from: '/salvar' });
  useDocumentTitle(CAPTURE_MESSAGES.window.title);
  return (
    <LoginGuard>
      <DataProvider>
        <FolderLooks>
          <main className="mx-auto flex min-h-dvh max-w-md flex-col gap-4 p-4">
            <Logo />
            <h1 className="sr-only">{CAPTURE_MESSAGES.window.title}</h1>
            <SaveWindow shared={shared} categoryId={category} />
          </main>
        </FolderLooks>
      </DataProvider>
    </LoginGuard>
  );
}
