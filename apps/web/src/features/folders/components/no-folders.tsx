import { FolderPlus } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';

/** The sidebar before the first folder. */
export function NoFolders({ onNewFolder }: { readonly onNewFolder: () => void }) {
  return (
    <div className="flex flex-col items-center gap-1 px-3 py-8 text-center">
      <p className="text-base font-medium">Nenhuma pasta ainda</p>
      <p className="text-sm text-ink-soft">Comece criando uma pasta para organizar seus links</p>
      <Button className="mt-3" icon={<FolderPlus aria-hidden />} onClick={onNewFolder}>
        Nova Pasta
      </Button>
    </div>
  );
}
