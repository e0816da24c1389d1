import { COVER_MESSAGES } from '@linkoteca/domain/messages/cover-messages';
import { useQueryClient } from '@tanstack/react-query';
import { EyeOff, RefreshCw } from 'lucide-react';
import { useOnline } from '../../../../shared/lib/connection/connection-context.tsx';
import { fromDataAddress } from '../../../../shared/lib/pictures/data-address.ts';
import type { Link } from '../../../../shared/lib/rows.ts';
import { FullStorageError } from '../../../../shared/lib/supabase/file-storage.ts';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { followWithUndo } from '../../../../shared/ui/feedback/toast-with-undo.ts';
import { MenuItem } from '../../../../shared/ui/menus/menu-item.tsx';
import { COVER_IMAGE_KEY } from '../../api/covers/cover-files.ts';
import { type Cover, coverKey } from '../../api/covers/read-covers.ts';
import { useCoverQueue } from '../../api/covers/use-cover.ts';
import { useMakeCover } from '../../api/covers/use-make-cover.ts';
import { useTellFullStorage } from './use-tell-full-storage.ts';

interface CoverMenuItemsProps {
  readonly link: Link;
  readonly ownerId: string;
}

/** What can be done with the cover of a link: fetch it anew, or do without. */
export function CoverMenuItems({ link, ownerId }: CoverMenuItemsProps) {
  const online = useOnline();
  const queryClient = useQueryClient();
  const acts = useCoverActs(ownerId);
  const key = coverKey({ categoryId: link.category_id, linkId: link.id, url: link.url });
  const cover = queryClient.getQueryData<Cover>(key);
  const offline = online ? undefined : (
    <span className="text-xs text-ink-faint">{COVER_MESSAGES.offline}</span>
  );
  return (
    <>
      <MenuItem
        icon={<RefreshCw aria-hidden />}
        disabled={!online}
        aside={offline}
        onSelect={() => void acts.refresh(link)}
      >
        {COVER_MESSAGES.refresh}
      </MenuItem>
      {cover?.state === 'image' ? (
        <MenuItem
          icon={<EyeOff aria-hidden />}
          disabled={!online}
          onSelect={() => void acts.remove(link, cover)}
        >
          {COVER_MESSAGES.remove}
        </MenuItem>
      ) : null}
    </>
  );
}

function useCoverActs(ownerId: string) {
  const queryClient = useQueryClient();
  const queue = useCoverQueue();
  const { make, keep, remove } = useMakeCover(ownerId);
  const tellFull = useTellFullStorage();
  const words = COVER_MESSAGES;
  const tellFailure = (error: unknown, title: string) => {
    if (error instanceof FullStorageError) tellFull(error, 'again');
    else toast.error(title, words.tryAgain);
  };
  const refresh = async (link: Link) => {
    try {
      const made = await queue.show(link.id, make(link));
      if (made.kind === 'kept') toast.success(words.refreshed);
      else if (made.kind === 'none') toast.info(words.none);
      else if (made.kind === 'busy') toast.info(words.busy, words.busyHint);
      else toast.error(words.failed, words.tryAgain);
    } catch (error) {
      tellFailure(error, words.failed);
    }
  };
  const putBack = async (link: Link, address: string | undefined) => {
    if (address === undefined) return refresh(link);
    try {
      await queue.show(link.id, keep(link, fromDataAddress(address)));
    } catch (error) {
      tellFailure(error, words.failed);
    }
  };
  return {
    refresh,
    remove: (link: Link, { path, triedAt }: Cover) => {
      const address = queryClient.getQueryData<string>([COVER_IMAGE_KEY, path, triedAt]);
      const removing = remove(link).catch((error: unknown) => {
        tellFailure(error, words.removeFailed);
        return null;
      });
      return followWithUndo(removing, {
        describe: () => words.removed,
        undo: () => void putBack(link, address),
      });
    },
  };
}
