import { RECEIVED_SHARE_MESSAGES as words } from '@linkoteca/domain/received-share-messages';
import { useReturnToShare } from '../../features/categories/api/leave-share.ts';
import { useHasLeftShare } from '../../features/sharing/api/has-left-share.ts';
import { describeError } from '../../shared/lib/describe-error.ts';
import { Button } from '../../shared/ui/button.tsx';
import { toast } from '../../shared/ui/toast.ts';

/** For whoever left this very share: only they can let its owner invite them again. */
export function LeftShare({ categoryId }: { readonly categoryId: string }) {
  const hasLeft = useHasLeftShare(categoryId);
  const returning = useReturnToShare();
  if (hasLeft !== true) return null;
  const accept = async () => {
    try {
      const isOpen = await returning.mutateAsync(categoryId);
      toast.success(isOpen ? words.returned : words.accepted);
    } catch (error) {
      toast.error(words.returnFailed, describeError(error, words.tryAgain));
    }
  };
  if (returning.isSuccess) return <p className="mb-3 text-base">{words.accepted}</p>;
  return (
    <div className="mb-3 flex flex-col items-center gap-2">
      <p className="text-base">{words.left}</p>
      <Button variant="primary" size="large" busy={returning.isPending} onClick={() => void accept()}>
        {words.accept}
      </Button>
    </div>
  );
}
