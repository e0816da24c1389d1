import { formatNumber } from '@linkoteca/domain/formats';
import { FolderInput, Tag, Trash2, X } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';

interface SelectionBarProps {
  readonly count: number;
  /** True when every displayed link is picked. */
  readonly all: boolean;
  readonly onToggleAll: () => void;
  /** How many links there are, where more than the displayed ones; null where all are displayed. */
  readonly whole: number | null;
  /** Picks them all, those not yet loaded too. */
  readonly onPickWhole: () => void;
  /** They are on their way. */
  readonly picksWhole: boolean;
  readonly onMove: () => void;
  /** Null until it is known what that takes. */
  readonly onTag: (() => void) | null;
  readonly onDelete: () => void;
  readonly onLeave: () => void;
}

/**
 * Slides over the toolbar in selection mode, moves nothing, and stays in sight while the page scrolls; on phones it rises at
 * the foot, within a thumb's reach. What it counts is announced by the list.
 */
export function SelectionBar(props: SelectionBarProps) {
  const { count, all, onToggleAll, whole, onPickWhole, picksWhole, onMove, onTag, onDelete, onLeave } = props;
  const figure = count > 0 ? ` (${formatNumber(count)})` : '';
  return (
    <div className="md:sticky md:top-15 md:z-10 md:h-0">
      <div
        role="toolbar"
        aria-label="Seleção"
        className={
          'flex items-center gap-2 rounded-lg border border-line bg-surface p-1.5 pl-3 shadow-float ' +
          'transition-[opacity,translate] ease-out starting:translate-y-2 starting:opacity-0 ' +
          'max-md:fixed max-md:inset-x-3 max-md:bottom-[calc(0.75rem+var(--page-foot))] max-md:z-10 max-md:flex-wrap max-md:p-2 ' +
          'md:absolute md:right-0 md:bottom-0'
        }
      >
        <span className="pr-1 text-base font-medium tabular-nums max-md:flex-1 max-md:pl-2">
          {count === 1 ? '1 selecionado' : `${formatNumber(count)} selecionados`}
        </span>
        <Button variant="quiet" onClick={onToggleAll}>
          {all ? 'Limpar seleção' : 'Selecionar todos'}
        </Button>
        {all && whole !== null ? (
          <Button variant="quiet" busy={picksWhole} busyLabel="Carregando..." onClick={onPickWhole}>
            {`Selecionar todos os ${formatNumber(whole)}`}
          </Button>
        ) : null}
        <span aria-hidden className="basis-full max-md:order-1 md:hidden" />
        {onTag ? (
          <Button
            variant="secondary"
            icon={<Tag aria-hidden />}
            className="max-md:order-2 max-md:flex-1"
            onClick={onTag}
          >
            Tags
          </Button>
        ) : null}
        <Button
          variant="secondary"
          icon={<FolderInput aria-hidden />}
          className="max-md:order-2 max-md:flex-1"
          onClick={onMove}
        >
          {`Mover${figure}`}
        </Button>
        <Button
          variant={count > 0 ? 'danger' : 'secondary'}
          icon={<Trash2 aria-hidden />}
          className="max-md:order-2 max-md:flex-1"
          onClick={onDelete}
        >
          {`Excluir${figure}`}
        </Button>
        <IconButton label="Sair da seleção" onClick={onLeave}>
          <X aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}
