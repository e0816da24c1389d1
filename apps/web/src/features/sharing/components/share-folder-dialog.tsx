import type { FolderRole } from '@linkoteca/domain/folder-roles';
import {
  describeFolderRoom,
  describeRoomierFolders,
  FOLDER_SHARING_MESSAGES as words,
} from '@linkoteca/domain/messages/folder-sharing-messages';
import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import type { Plan } from '@linkoteca/domain/plans';
import type { ReactNode } from 'react';
import { useOnline } from '../../../shared/lib/connection/connection-context.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { LoadError } from '../../../shared/ui/feedback/load-error.tsx';
import { Notice } from '../../../shared/ui/feedback/notice.tsx';
import { Skeleton } from '../../../shared/ui/feedback/skeleton.tsx';
import { type FolderMember, useFolderMembers } from '../api/list-folder-members.ts';
import { FolderInvitations } from './folder-invitations.tsx';
import { FolderMembers } from './folder-members.tsx';
import { HeldCategories } from './held-categories.tsx';

/** What can be done with the people of a folder; each says by itself how it ends. */
export interface FolderMemberActs {
  /** @returns whether they are on the list now. */
  readonly invite: (emails: readonly string[], role: FolderRole) => Promise<boolean>;
  readonly changeRole: (member: FolderMember, role: FolderRole) => void;
  readonly remove: (member: FolderMember) => void;
}

interface ShareFolderDialogProps {
  readonly open: boolean;
  readonly folder: { readonly id: string; readonly name: string };
  /** The plan of the folder's owner; null where that is somebody else, or not known yet. */
  readonly plan: Plan | null;
  /** Whether the person owns the folder: then they say what is held back, too. */
  readonly isOwn: boolean;
  readonly acts: FolderMemberActs;
  /** The groups that have access, where the folder is the person's own. */
  readonly groups: ReactNode;
  /** The folder's own page, where it is the person's own. */
  readonly publicPage: ReactNode;
  /** The way to hand the folder over, where it is the person's own. */
  readonly handOver: ReactNode;
  /** To the plans. */
  readonly plansButton: ReactNode;
  readonly onClose: () => void;
}

/** Who shares a folder and what they may do in it. Each change holds at once. */
export function ShareFolderDialog(props: ShareFolderDialogProps) {
  const { open, folder, plan, isOwn, acts, groups, publicPage, handOver, plansButton, onClose } = props;
  const online = useOnline();
  const query = useFolderMembers(folder.id);
  const members = query.data;
  const max = plan?.maxFolderMembers ?? null;
  const isFull = max !== null && members !== undefined && members.length >= max;
  const canExtend = plan?.sharing !== false;
  // Whom one's own groups bring, the groups stand for.
  const listed = members?.filter(({ isByGroup }) => !(isOwn && isByGroup)) ?? [];

  return (
    <Dialog open={open} width="wide" title={words.title} description={folder.name} onClose={onClose}>
      {members ? (
        <div className="flex flex-col gap-4">
          {canExtend ? null : (
            <Notice tone="warning" action={plansButton}>
              {members.length > 0 ? words.reduceOnly : words.notIncluded}
            </Notice>
          )}
          {canExtend && !isFull ? (
            <FolderInvitations members={members} max={max} onInvite={acts.invite} />
          ) : null}
          {plan && canExtend ? (
            <Notice action={isFull && describeRoomierFolders(plan.maxFolderMembers) ? plansButton : null}>
              {describeFolderRoom(plan)} {isFull ? describeRoomierFolders(plan.maxFolderMembers) : null}
            </Notice>
          ) : null}
          {groups}
          {listed.length > 0 ? (
            <FolderMembers members={listed} onRole={acts.changeRole} onRemove={acts.remove} />
          ) : canExtend && members.length === 0 ? (
            <p className="text-sm text-ink-soft">{words.nobody}</p>
          ) : null}
          {publicPage}
          {isOwn && members.length > 0 ? <HeldCategories folderId={folder.id} /> : null}
          {members.length > 0 ? handOver : null}
        </div>
      ) : query.isError || !online ? (
        <LoadError
          title={words.loadFailed}
          description={online ? 'Verifique sua conexão e tente de novo.' : OFFLINE_MESSAGES.writeRefused}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <div role="status" aria-label="Carregando..." className="flex flex-col gap-2">
          {['convite', 'pessoa', 'outra'].map((row) => (
            <Skeleton key={row} className="h-11 w-full" />
          ))}
        </div>
      )}
    </Dialog>
  );
}
