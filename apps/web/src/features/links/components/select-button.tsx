import { CheckSquare } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';

interface SelectButtonProps {
  /** Selection mode is on. */
  readonly pressed: boolean;
  readonly onPress: () => void;
  readonly disabled?: boolean;
}

/** Begins and ends selection mode. */
export function SelectButton({ pressed, onPress, disabled = false }: SelectButtonProps) {
  return (
    <Button
      variant="secondary"
      icon={<CheckSquare aria-hidden />}
      aria-pressed={pressed}
      disabled={disabled}
      className="aria-pressed:border-accent aria-pressed:text-accent-text"
      onClick={onPress}
    >
      Selecionar
    </Button>
  );
}
