import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../../shared/ui/dialogs/confirm-dialog.tsx';
import { useRecoveryCodes } from '../../api/factors.ts';
import { FACTOR_MESSAGES as TEXT } from '../../model/factor-messages.ts';
import type { MakingCodes } from './use-make-codes.ts';

interface RecoveryCodesProps {
  readonly hasCodes: boolean;
  readonly making: MakingCodes;
}

/** How many codes are left for whoever loses the app, and the way to new ones. */
export function RecoveryCodes({ hasCodes, making }: RecoveryCodesProps) {
  const [asking, setAsking] = useState(false);
  const confirm = async () => {
    await making.make();
    setAsking(false);
  };
  return (
    <div className="flex flex-wrap items-center gap-3 border-y border-line py-3">
      <KeyRound aria-hidden className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1 basis-48">
        <h3 className="text-base font-medium text-ink">{TEXT.codesTitle}</h3>
        <p className="text-sm text-ink-faint">{hasCodes ? <CodesLeft /> : TEXT.codesNone}</p>
      </div>
      <Button
        size="small"
        busy={making.busy}
        busyLabel={TEXT.makingCodes}
        onClick={() => (hasCodes ? setAsking(true) : void making.make())}
      >
        {hasCodes ? TEXT.makeOtherCodes : TEXT.makeCodes}
      </Button>
      <ConfirmDialog
        open={asking}
        title={TEXT.replaceQuestion}
        description={TEXT.replaceWhy}
        confirmLabel={TEXT.makeCodes}
        tone="primary"
        busy={making.busy}
        busyLabel={TEXT.makingCodes}
        onCancel={() => setAsking(false)}
        onConfirm={() => void confirm()}
      />
    </div>
  );
}

function CodesLeft() {
  const { data } = useRecoveryCodes();
  return data ? TEXT.codesLeft(data.remaining, data.total) : '…';
}
