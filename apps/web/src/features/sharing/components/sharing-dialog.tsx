import { OFFLINE_MESSAGES } from '@linkoteca/domain/offline-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { SERVICE_WORDS } from '@linkoteca/domain/service-words';
import { describeLostAccess, SHARING_DIALOG_MESSAGES } from '@linkoteca/domain/sharing-dialog-messages';
import { SHARING_MESSAGES } from '@linkoteca/domain/sharing-messages';
import type { SharingMode } from '@linkoteca/domain/sharing-mode';
import { useOnline } from '../../../shared/lib/connection/connection-context.tsx';
import { describeServiceFailure } from '../../../shared/lib/describe-service-failure.ts';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { FormDialog } from '../../../shared/ui/form-dialog.tsx';
import { LoadError } from '../../../shared/ui/load-error.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useSharing } from '../api/load-sharing.ts';
import type { SharedSubject } from '../api/notify-invited.ts';
import { type BeginShowSharing, useSaveSharing } from '../api/save-sharing.ts';
import { describeSharingChange } from '../model/describe-sharing-change.ts';
import { useSharingDraft } from '../model/use-sharing-draft.ts';
import { useTypedEmails } from '../model/use-typed-emails.ts';
import { Invitations } from './invitations.tsx';
import { ShareAddresses } from './share-addresses.tsx';
import { SharingModes } from './sharing-modes.tsx';
import { SharingSkeleton } from './sharing-skeleton.tsx';

export interface SharingDialogProps {
  readonly open: boolean;
  readonly category: SharedSubject;
  /** False where the plan only lets one share less than now. */
  readonly canExtend: boolean;
  readonly beginShow: BeginShowSharing;
  readonly onClose: () => void;
  /** The database refused for the plan's sake. */
  readonly onGate: () => void;
}

/** Who may see a category. Mode and list are saved in one call. Mount it anew (by key) for each opening. */
export function SharingDialog({ open, category, canExtend, beginShow, onClose, onGate }: SharingDialogProps) {
  const words = SHARING_DIALOG_MESSAGES;
  const online = useOnline();
  const query = useSharing(category.id);
  const save = useSaveSharing(beginShow);
  const draft = useSharingDraft(query.data);
  const typed = useTypedEmails(draft, usePerson()?.email ?? '');
  const { mode, before } = draft;

  /** The list with what still stands in the field; null while something of it has to be mended. */
  const completeList = (): readonly string[] | null => {
    if (mode !== 'restricted') return [];
    const last = typed.text.trim() === '' ? null : typed.enter(typed.text);
    if (last && last.rest !== '') return null;
    const emails = [...draft.emails, ...(last?.added ?? [])];
    // Who may only reduce has no field to fill: nobody left is the end of it.
    if (emails.length > 0 || !canExtend) return emails;
    typed.setError(words.noneInvited);
    return null;
  };
  const submit = async () => {
    const emails = query.data ? completeList() : null;
    if (emails === null) return;
    const saved = mode === 'restricted' && emails.length === 0 ? 'private' : mode;
    try {
      await save.mutateAsync({ category, mode: saved, emails });
    } catch (error) {
      const refusal = readRefusal(error);
      if (refusal.kind === 'sharing_gate') {
        onClose();
        return onGate();
      }
      if (refusal.kind === 'share_left') {
        toast.error(SHARING_MESSAGES.saveFailed, refusal.words);
        return;
      }
      const action = SERVICE_WORDS.category[saved === 'private' ? 'unshare' : 'share'];
      toast.error(SHARING_MESSAGES.saveFailed, describeServiceFailure(error, action, words.keptAfterFailure));
      return;
    }
    toast.success(SHARING_MESSAGES.saved, describeSharingChange(before, saved));
    onClose();
  };
  const isMore = (wanted: SharingMode) => wanted !== 'private' && wanted !== before;

  return (
    <FormDialog
      open={open}
      width="wide"
      title={words.title}
      description={category.name}
      dirty={draft.changed || typed.text.trim() !== ''}
      discard={words.discard}
      saving={save.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      {query.data ? (
        <>
          {canExtend ? null : <Notice tone="warning">{words.reduceOnly}</Notice>}
          <SharingModes
            value={mode}
            closed={(wanted) => !canExtend && isMore(wanted)}
            onChange={draft.choose}
          />
          {mode === 'restricted' ? (
            <Invitations draft={draft} typed={typed} canExtend={canExtend} />
          ) : query.data.emails.length > 0 ? (
            <p className="text-sm text-ink-soft">{describeLostAccess(query.data.emails.length)}</p>
          ) : null}
          {mode === 'private' ? null : (
            <ShareAddresses category={category} mode={mode} live={before !== 'private'} />
          )}
        </>
      ) : query.isError || !online ? (
        <LoadError
          title={SHARING_MESSAGES.loadFailed}
          description={online ? 'Verifique sua conexão e tente de novo.' : OFFLINE_MESSAGES.writeRefused}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <SharingSkeleton />
      )}
    </FormDialog>
  );
}
