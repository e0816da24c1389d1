import { formatMoment } from '@linkoteca/domain/dates';
import { type ReactNode, useEffect, useState } from 'react';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { Spinner } from '../../../shared/ui/feedback/spinner.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { type FactorReset, useFactorReset } from '../api/use-factor-reset.ts';
import { describeAuthError } from '../model/describe-auth-error.ts';
import { FinishReset } from './finish-reset.tsx';

const FAILED = 'Não deu certo. Tente de novo.';

/** For whoever has neither the app nor recovery codes: ask, wait, and come in by a mailed code. */
export function LostDevice() {
  const reset = useFactorReset();
  const [state, setState] = useState<FactorReset | 'failed'>();
  const [busy, setBusy] = useState(false);
  const run = useSingleFlight(async (call: () => Promise<FactorReset>) => {
    setBusy(true);
    try {
      setState(await call());
    } catch (error) {
      toast.error(describeAuthError(error, FAILED));
    } finally {
      setBusy(false);
    }
  });
  useEffect(() => {
    let gone = false;
    reset.read().then(
      (found) => (gone ? undefined : setState(found)),
      () => (gone ? undefined : setState('failed')),
    );
    return () => {
      gone = true;
    };
  }, [reset]);

  if (state === undefined) return <Spinner />;
  if (state === 'failed')
    return <Notice tone="danger">Sem resposta. Verifique sua conexão e abra de novo.</Notice>;
  switch (state.status) {
    case 'unavailable':
      return (
        <Notice>
          Aqui só quem administra a Linkoteca pode desligar a verificação. Fale com essa pessoa.
        </Notice>
      );
    case 'none':
      return (
        <Explained
          text="Sem o celular e sem os códigos, dá para desligar a verificação esperando 3 dias. Avisamos você por e-mail, para que ninguém faça isso no seu lugar."
          action={
            <Button busy={busy} busyLabel="Pedindo..." onClick={() => void run(reset.ask)}>
              Pedir para desligar
            </Button>
          }
        />
      );
    case 'waiting':
      return (
        <Explained
          text={`Pedido feito. Volte a partir de ${formatMoment(new Date(state.ready_at), new Date())} e termine com um código que mandamos ao seu e-mail. Achou o celular? Entre com o código dele.`}
          action={
            <Button busy={busy} busyLabel="Cancelando..." onClick={() => void run(reset.cancel)}>
              Cancelar pedido
            </Button>
          }
        />
      );
    case 'ready':
      return <FinishReset mailCode={reset.mailCode} finish={reset.finish} />;
  }
}

function Explained({ text, action }: { readonly text: string; readonly action: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-base text-ink">{text}</p>
      {action}
    </div>
  );
}
