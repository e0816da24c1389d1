import { ListFilter } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { EmptyState } from '../../../shared/ui/feedback/empty-state.tsx';

interface NothingFitsProps {
  readonly filter: string;
  readonly onClear: () => void;
}

/** All links of the category are there, and none has what was typed. */
export function NothingFits({ filter, onClear }: NothingFitsProps) {
  return (
    <EmptyState
      icon={<ListFilter aria-hidden />}
      title={`Nenhum link desta categoria com “${filter.trim()}”`}
      action={
        <Button
          variant="secondary"
          onClick={() => {
            // It goes with what it says.
            document.getElementById('page')?.focus();
            onClear();
          }}
        >
          Limpar filtro
        </Button>
      }
    />
  );
}
