import { formatNumber } from '@linkoteca/domain/format-number';
import { Trash2, X } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';

interface SelectionBarProps {
  readonly count: number;
  /** True when every displayed link is picked. */
  readonly all: boolean;
  readonly onToggleAll: () => void;
  readonly onDelete: () => void;
  readonly onLeave: () => void;
}

/** Takes the toolbar's place in selection mode; on phones it floats at the foot. */
export function SelectionBar({ count, all, onToggleAll, onDelete, onLeave }: SelectionBarProps) {
  return (
    <div
      role="toolbar"
      aria-label="Seleção"
      className="flex items-center gap-2 rounded bg-surface max-md:fixed max-md:inset-x-3 max-md:bottom-[calc(0.75rem+env(safe-area-inset-bottom))] max-md:z-10 max-md:rounded-lg max-md:border max-md:border-line max-md:p-2 max-md:shadow-float md:bg-transparent"
    >
      <span role="status" className="px-1 text-base font-medium tabular-nums max-md:sr-only">
        {count === 1 ? '1 selecionado' : `${formatNumber(count)} selecionados`}
      </span>
      <Button variant="quiet" className="max-md:flex-1" onClick={onToggleAll}>
        {all ? 'Limpar seleção' : 'Selecionar todos'}
      </Button>
      <Button variant="danger" icon={<Trash2 aria-hidden />} className="max-md:flex-1" onClick={onDelete}>
        {`Excluir${count > 0 ? ` (${formatNumber(count)})` : ''}`}
      </Button>
      <IconButton label="Sair da seleção" onClick={onLeave}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}
