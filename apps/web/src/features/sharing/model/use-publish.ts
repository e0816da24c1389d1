import { SERVICE_WORDS } from '@linkoteca/domain/messages/service-messages';
import { SHARING_MESSAGES } from '@linkoteca/domain/messages/sharing-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import type { SharingMode } from '@linkoteca/domain/sharing';
import { copyPromised } from '../../../shared/lib/browser/copy-link.ts';
import { describeServiceFailure } from '../../../shared/lib/describe-service-failure.ts';
import { useSingleFlight } from '../../../shared/lib/writes/use-single-flight.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { followWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';
import type { SharedSubject } from '../api/notify-invited.ts';
import { type BeginShowSharing, useSaveSharing } from '../api/save-sharing.ts';
import { SHARE_MENU_WORDS } from './share-menu-words.ts';

export interface PublishOptions {
  readonly beginShow: BeginShowSharing;
  /** Whether the plan lets one share. */
  readonly isAllowed: () => Promise<boolean>;
  /** Called where it does not. */
  readonly onGate: () => void;
}

interface Publication {
  readonly category: SharedSubject;
  /** What is copied. */
  readonly address: string;
}

/** Makes a private category public and copies its address, which works from then on; 'Desfazer' makes it private again. */
export function usePublish({ beginShow, isAllowed, onGate }: PublishOptions) {
  const save = useSaveSharing(beginShow);

  const change = async (category: SharedSubject, mode: SharingMode): Promise<boolean> => {
    try {
      await save.mutateAsync({ category, mode, emails: [] });
      return true;
    } catch (error) {
      if (readRefusal(error).kind === 'sharing_gate') onGate();
      else {
        const action = SERVICE_WORDS.category[mode === 'private' ? 'unshare' : 'share'];
        toast.error(
          SHARING_MESSAGES.saveFailed,
          describeServiceFailure(error, action, 'Tente de novo em instantes.'),
        );
      }
      return false;
    }
  };

  return useSingleFlight(async ({ category, address }: Publication) => {
    const published = isAllowed().then((allowed) => {
      if (!allowed) onGate();
      return allowed && change(category, 'public');
    });
    // The press gives the right to the clipboard for a moment: it is claimed now and filled when the address works.
    const copied = copyPromised(published.then((done) => (done ? address : null)));
    await followWithUndo(
      copied.then(async (isCopied) => ((await published) ? { isCopied } : null)),
      {
        describe: ({ isCopied }) => (isCopied ? SHARE_MENU_WORDS.published : SHARE_MENU_WORDS.publishedOnly),
        explain: ({ isCopied }) => (isCopied ? undefined : SHARE_MENU_WORDS.copyByHand),
        undo: () => void change(category, 'private'),
      },
    );
  });
}
