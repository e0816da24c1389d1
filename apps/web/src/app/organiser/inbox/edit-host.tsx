import { Suspense } from 'react';
import { useLinkAllowance } from '../../../features/account/api/usage.ts';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { useIdlePreload } from '../../../shared/lib/browser/use-idle-preload.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { useLastRequest } from '../../../shared/lib/writes/use-last-request.ts';
import { useTagging } from '../tags/use-tagging.tsx';
import { useCategoryGroups } from '../use-category-groups.ts';
import { useCreatePlace } from '../use-create-place.ts';
import { useLibraryCounting } from '../use-library-counting.ts';

const loadDialog = () => import('../../../features/links/components/form/link-dialog.tsx');
const LinkDialog = lazyPart(loadDialog, (module) => module.LinkDialog);

interface EditHostProps {
  /** null while none is edited. */
  readonly link: Link | null;
  readonly categoryId: string;
  readonly onClose: () => void;
}

/** 'Editar Link' beside a list that may lose the link meanwhile. */
export function EditHost({ link, ...props }: EditHostProps) {
  const edited = useLastRequest(link);
  useIdlePreload(loadDialog);
  if (edited === null) return null;
  return (
    <Suspense>
      <EditDialog key={edited.key} open={edited.open} link={edited.request} {...props} />
    </Suspense>
  );
}

interface EditDialogProps extends EditHostProps {
  readonly open: boolean;
}

/** The form, with what it needs of the library around it. */
function EditDialog(props: EditDialogProps) {
  const counting = useLibraryCounting();
  return (
    <LinkDialog
      {...props}
      groups={useCategoryGroups()}
      allowance={useLinkAllowance()}
      beginCountLinks={counting.links}
      createPlace={useCreatePlace()}
      tagging={useTagging()}
    />
  );
}
