import { CAPTURE_MESSAGES } from '@linkoteca/domain/messages/capture-messages';
import { Link } from '@tanstack/react-router';
import { usePlan } from '../../features/account/api/subscription.ts';
import { TransferPanel } from '../../features/transfer/components/transfer-panel.tsx';
import { TRANSFER_MESSAGES } from '../../features/transfer/model/transfer-messages.ts';
import { useLibrary } from './use-library.ts';
import { useSharingGate } from './use-sharing-gate.ts';

/** Bookmark files in and out, with what the rest of the product knows of plan and library. */
export function TransferTab() {
  const { shelves } = useLibrary();
  const refuse = useSharingGate(TRANSFER_MESSAGES.gateReason);
  const plansLink = (
    <Link to="/plans" className="hit-area text-sm font-medium text-accent-text hover:underline">
      {TRANSFER_MESSAGES.import.seePlans}
    </Link>
  );
  const { plan } = usePlan();
  return (
    <>
      <TransferPanel plan={plan} shelves={shelves} plansLink={plansLink} onRefused={refuse} />
      <p className="mt-6 text-base text-ink-soft">
        Para o que você encontrar daqui em diante:{' '}
        <Link
          to="/salvar-de-qualquer-lugar"
          className="hit-area font-medium text-accent-text hover:underline"
        >
          {CAPTURE_MESSAGES.anywhere.title}
        </Link>
      </p>
    </>
  );
}
