import { ACCESS_ANSWER_MESSAGES } from '@linkoteca/domain/messages/access-request-messages';
import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { SHARING_MESSAGES, SHARING_WORDS } from '@linkoteca/domain/messages/sharing-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { type SharingMode, sharedEmbedSnippet, sharedLink, sharedPath } from '@linkoteca/domain/sharing';
import { Copy } from 'lucide-react';
import { copyLink } from '../../../shared/lib/browser/copy-link.ts';
import { useOnline } from '../../../shared/lib/connection/connection-context.tsx';
import { describeServiceFailure } from '../../../shared/lib/describe-service-failure.ts';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { FormDialog } from '../../../shared/ui/dialogs/form-dialog.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { useAccessRequests } from '../api/access-requests.ts';
import { useSharing } from '../api/load-sharing.ts';
import type { SharedSubject } from '../api/notify-invited.ts';
import { usePageLimits } from '../api/page-limits.ts';
import { type BeginShowSharing, useSaveSharing } from '../api/save-sharing.ts';
import { describeSharingChange } from '../model/describe-sharing-change.ts';
import { describeLostAccess, SHARING_DIALOG_MESSAGES } from '../model/sharing-dialog-messages.ts';
import { usePageLimitsDraft } from '../model/use-page-limits-draft.ts';
import { useSharingDraft } from '../model/use-sharing-draft.ts';
import { useTypedEmails } from '../model/use-typed-emails.ts';
import { AccessRequestList } from './access-request-list.tsx';
import { Invitations } from './invitations.tsx';
import { PageLimitFields } from './page-limit-fields.tsx';
import { SharingModes } from './sharing-modes.tsx';

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
  const limits = usePageLimits(category.id);
  const page = usePageLimitsDraft(category.id, limits.data);
  const draft = useSharingDraft(query.data);
  const typed = useTypedEmails(draft, usePerson()?.email ?? '');
  const { mode, before } = draft;

  /** The list with what still stands in the field; null while something of it has to be mended. */
  const completeList = (): readonly string[] | null => {
    if (mode !== 'restricted') return [];
    const last = typed.pending ? typed.enter(typed.text) : null;
    if (last && !last.complete) return null;
    const emails = [...draft.emails, ...(last?.added ?? [])];
    // Who may only reduce has no field to fill: nobody left is the end of it.
    if (emails.length > 0 || !canExtend) return emails;
    typed.setNote(words.noneInvited);
    return null;
  };
  const submit = async () => {
    const emails = query.data ? completeList() : null;
    if (emails === null) return;
    const saved = mode === 'restricted' && emails.length === 0 ? 'private' : mode;
    if (mode === 'public' && !page.check()) return;
    try {
      // Before it is public: it is never open for longer, or for more people, than was said.
      if (mode === 'public') await page.save();
      await save.mutateAsync({ category, mode: saved, emails });
    } catch (error) {
      const refusal = readRefusal(error);
      // The dialog stays, with whoever was typed.
      if (refusal.kind === 'sharing_gate') return onGate();
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
      dirty={draft.changed || typed.pending || (mode === 'public' && page.changed)}
      discard={words.discard}
      saving={save.isPending || page.isSaving}
      onClose={onClose}
      onSubmit={submit}
    >
      {query.data && limits.data ? (
        <>
          {canExtend ? null : <Notice tone="warning">{words.reduceOnly}</Notice>}
          <CategoryRequests categoryId={category.id} onGate={onGate} />
          <SharingModes
            value={mode}
            closed={(wanted) => !canExtend && isMore(wanted)}
            onChange={draft.choose}
          />
          {mode === 'restricted' ? (
            <Invitations draft={draft} typed={typed} canExtend={canExtend} saving={save.isPending} />
          ) : query.data.emails.length > 0 ? (
            <p className="text-sm text-ink-soft">{describeLostAccess(query.data.emails.length)}</p>
          ) : null}
          {mode === 'public' ? <PageLimitFields draft={page} /> : null}
          {mode === 'private' ? null : (
            <ShareAddresses category={category} mode={mode} live={before !== 'private'} />
          )}
        </>
      ) : query.isError || limits.isError || !online ? (
        <LoadError
          title={SHARING_MESSAGES.loadFailed}
          description={online ? 'Verifique sua conexão e tente de novo.' : OFFLINE_MESSAGES.writeRefused}
          onRetry={() => void Promise.all([query.refetch(), limits.refetch()])}
        />
      ) : (
        <SharingSkeleton />
      )}
    </FormDialog>
  );
}

interface CategoryRequestsProps {
  readonly categoryId: string;
  readonly onGate: () => void;
}

/** Who waits for an answer about this category. */
function CategoryRequests({ categoryId, onGate }: CategoryRequestsProps) {
  const requests = useAccessRequests().data?.filter((request) => request.category_id === categoryId) ?? [];
  if (requests.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-base font-medium text-ink">{ACCESS_ANSWER_MESSAGES.title}</h3>
      <AccessRequestList requests={requests} onGate={onGate} />
    </section>
  );
}

/** The shape of the three choices while the stored one is read. */
function SharingSkeleton() {
  return (
    <div role="status" aria-label="Carregando..." className="flex flex-col gap-2">
      {['privada', 'pública', 'restrita'].map((row) => (
        <Skeleton key={row} className="h-11 w-full" />
      ))}
    </div>
  );
}

interface ShareAddressesProps {
  readonly category: { readonly id: string; readonly name: string };
  readonly mode: Exclude<SharingMode, 'private'>;
  /** False while nobody but the owner gets anywhere by it. */
  readonly live: boolean;
}

/** The link to hand on; for public categories, quietly, the readable address and, where the host draws them, the markup for other sites. */
export function ShareAddresses({ category, mode, live }: ShareAddressesProps) {
  const words = SHARING_DIALOG_MESSAGES;
  const { origin } = window.location;
  const { publicPagesDrawn } = useBackend().config;
  const meaning = mode === 'public' ? words.linkPublic : words.linkRestricted;
  return (
    <div className="flex flex-col gap-3">
      <CopyField
        label={words.linkField}
        value={sharedLink(origin, category.id)}
        action={SHARING_WORDS.copy}
        live={live}
        hint={live ? meaning : words.linkAfterSave}
      />
      {mode === 'public' ? (
        <details>
          <summary className="cursor-pointer rounded py-1.5 text-sm text-ink-soft hover:text-ink">
            {publicPagesDrawn ? words.extras : words.readable}
          </summary>
          <div className="mt-2 flex flex-col gap-3">
            <CopyField
              label={words.readable}
              value={`${origin}${sharedPath(category)}`}
              action="Copiar endereço"
              live={live}
            />
            {publicPagesDrawn ? (
              <CopyField
                label={words.embed}
                value={sharedEmbedSnippet(origin, category)}
                action={words.copyEmbed}
                live={live}
              />
            ) : null}
          </div>
        </details>
      ) : null}
    </div>
  );
}

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  /** What the button says. */
  readonly action: string;
  readonly hint?: string | undefined;
  /** False before it works: then there is nothing to hand on yet. */
  readonly live: boolean;
}

/** Something to hand on, with the button that copies it. Focus selects it, for those who copy by hand. */
function CopyField({ label, value, action, hint, live }: CopyFieldProps) {
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label={label}
          value={value}
          readOnly
          hint={hint}
          className="truncate"
          onFocus={(event) => event.currentTarget.select()}
        />
      </div>
      <Button
        size="large"
        className="mt-6"
        icon={<Copy aria-hidden />}
        disabled={!live}
        onClick={() => void copyLink(value)}
      >
        {action}
      </Button>
    </div>
  );
}
