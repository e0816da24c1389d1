import { KeyRound } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';

interface PasskeyLookProps {
  readonly busy: boolean;
  readonly onPress: () => void;
}

/** The button of the way in by a passkey, which stands there before its code has come; `data-passkey` for the first picture. */
export function PasskeyLook({ busy, onPress }: PasskeyLookProps) {
  return (
    <Button data-passkey="" size="large" busy={busy} busyLabel="Esperando..." onClick={onPress}>
      <KeyRound aria-hidden className="size-5" />
      Entrar com uma chave de acesso
    </Button>
  );
}
