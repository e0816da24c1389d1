import { BIN_MESSAGES } from '@linkoteca/domain/messages/bin-messages';
import { describeCategoryLimit, describeLinkLimit } from '@linkoteca/domain/messages/plan-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRestoreFromBin } from '../../features/bin/api/restore-from-bin.ts';
import { type BinEntry, nameEntry } from '../../features/bin/model/bin-entry.ts';
import { describeError, readError } from '../../shared/lib/describe-error.ts';
import { toast } from '../../shared/ui/feedback/toast.ts';
import { useOpenCategory } from './use-open-category.ts';

/** Restores from the bin and says how it went; where the old place is gone, `homeless` is what needs another one. */
export function useBinRestoring() {
  const restoration = useRestoreFromBin();
  const goTo = useOpenCategory();
  const navigate = useNavigate();
  const [homeless, setHomeless] = useState<BinEntry | null>(null);

  const restore = async (entry: BinEntry, placeId?: string) => {
    try {
      const opened = await restoration.mutateAsync(placeId === undefined ? { entry } : { entry, placeId });
      const see = { label: BIN_MESSAGES.see, onPress: () => opened && goTo(opened) };
      toast.success(BIN_MESSAGES.restored, nameEntry(entry), opened === null ? {} : { action: see });
    } catch (error) {
      if (placeId === undefined && isPlaceGone(error)) return setHomeless(entry);
      const { reason, isFull } = describeRefusal(error);
      const plans = { label: BIN_MESSAGES.seePlans, onPress: () => void navigate({ to: '/plans' }) };
      if (isFull) toast.info(BIN_MESSAGES.restoreFailed, reason, { action: plans });
      else toast.error(BIN_MESSAGES.restoreFailed, reason);
    }
  };
  return { restore, homeless, dropHomeless: () => setHomeless(null) };
}

/** Why something stays in the bin, and whether another plan would have room for it. */
function describeRefusal(error: unknown): { readonly reason: string; readonly isFull: boolean } {
  const refusal = readRefusal(error);
  switch (refusal.kind) {
    case 'link_limit':
      return { reason: `${describeLinkLimit(refusal.max).title}. ${BIN_MESSAGES.noRoom}`, isFull: true };
    case 'category_limit':
      return { reason: `${describeCategoryLimit(refusal.max).title}. ${BIN_MESSAGES.noRoom}`, isFull: true };
    case 'name_taken':
      return { reason: BIN_MESSAGES.nameTaken, isFull: false };
    default:
      return {
        reason:
          readError(error).code === 'PT404'
            ? BIN_MESSAGES.gone
            : describeError(error, BIN_MESSAGES.restoreFailedWhy),
        isFull: false,
      };
  }
}

const isPlaceGone = (error: unknown) => readError(error).hint === 'place_gone';
