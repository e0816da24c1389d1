import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Button } from '../button.tsx';
import { backdropClassName, dialogPopupClassName } from '../menus/floating-class-names.ts';
import { useBackDismisses } from './use-back-dismisses.ts';

/** A field of the form that is asked about, in both versions. */
export interface ConflictingField {
  readonly label: string;
  readonly mine: string;
  readonly current: string;
}

export interface ConflictDialogProps {
  readonly open: boolean;
  /** 'A pasta', 'O link': begins the sentence that says what happened. */
  readonly subject: string;
  readonly fields: readonly ConflictingField[];
  readonly onKeepMine: () => void;
  readonly onUseCurrent: () => void;
  readonly onBack: () => void;
}

/** Asks which of two versions stays: what one has typed, or what was saved elsewhere meanwhile. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { open, subject, fields, onKeepMine, onUseCurrent, onBack } = props;
  useBackDismisses(open, onBack);
  const differing = fields.filter((field) => field.mine !== field.current);
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => (next ? undefined : onBack())}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop forceRender className={backdropClassName} />
        <AlertDialog.Popup className={`${dialogPopupClassName} md:max-w-dialog-wide`}>
          <div className="p-5">
            <AlertDialog.Title className="text-lg font-semibold text-ink">
              Alteração em outro lugar
            </AlertDialog.Title>
            <AlertDialog.Description className="mt-1.5 text-base text-ink-soft">
              {`${subject} mudou em outra aba ou em outro aparelho enquanto você editava. Qual versão deve ficar?`}
            </AlertDialog.Description>
            <dl className="mt-4 flex flex-col gap-4">
              {differing.map((field) => (
                <Comparison key={field.label} field={field} />
              ))}
            </dl>
            <div className="mt-6 flex justify-end gap-2 max-md:flex-col-reverse max-md:[&>*]:h-11">
              <AlertDialog.Close render={<Button variant="quiet">Voltar a editar</Button>} />
              <Button onClick={onUseCurrent}>Usar a atual</Button>
              <Button variant="primary" onClick={onKeepMine}>
                Manter a minha
              </Button>
            </div>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function Comparison({ field }: { readonly field: ConflictingField }) {
  return (
    <div>
      <dt className="text-sm font-medium text-ink">{field.label}</dt>
      <dd className="mt-1.5 grid gap-2 md:grid-cols-2">
        <Version name="Sua versão" text={field.mine} mine />
        <Version name="Versão atual" text={field.current} />
      </dd>
    </div>
  );
}

function Version({
  name,
  text,
  mine = false,
}: {
  readonly name: string;
  readonly text: string;
  readonly mine?: boolean;
}) {
  return (
    <div className={`rounded border p-2.5 ${mine ? 'border-accent bg-accent-soft' : 'border-line bg-paper'}`}>
      <p className={`text-xs font-medium ${mine ? 'text-accent-text' : 'text-ink-soft'}`}>{name}</p>
      <p className="mt-1 max-h-32 overflow-y-auto text-base break-words whitespace-pre-wrap text-ink">
        {text === '' ? <span className="text-ink-soft">(vazio)</span> : text}
      </p>
    </div>
  );
}
