import type { FolderRole } from '@linkoteca/domain/folder-roles';
import {
  describeInvitationMails,
  describeInvited,
  describeRemovedMember,
  FOLDER_SHARING_MESSAGES as words,
} from '@linkoteca/domain/messages/folder-sharing-messages';
import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { usePlan } from '../../../features/account/api/subscription.ts';
import { useFolderMemberWrites } from '../../../features/sharing/api/change-folder-members.ts';
import type { FolderMember } from '../../../features/sharing/api/list-folder-members.ts';
import {
  type FolderMemberActs,
  ShareFolderDialog,
} from '../../../features/sharing/components/share-folder-dialog.tsx';
import { describeFolderRefusal } from '../../../features/sharing/model/describe-folder-refusal.ts';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { followWithUndo } from '../../../shared/ui/feedback/toast-with-undo.ts';

interface ShareFolderHostProps {
  readonly open: boolean;
  readonly folder: { readonly id: string; readonly name: string };
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

const FolderGroups = lazyPart(
  () => import('../../../features/sharing/components/folder-groups.tsx'),
  (module) => module.FolderGroups,
);

const PublicFolder = lazyPart(
  () => import('../../../features/sharing/components/public-folder.tsx'),
  (module) => module.PublicFolder,
);

const HandOver = lazyPart(
  () => import('../../../features/sharing/components/hand-over.tsx'),
  (module) => module.HandOver,
);

const GroupsDialog = lazyPart(
  () => import('../../../features/sharing/components/groups-dialog.tsx'),
  (module) => module.GroupsDialog,
);

/** The dialog of a folder's people, with what the person's plan allows where the folder is theirs. */
export function ShareFolderHost({ open, folder, isOwn, onClose }: ShareFolderHostProps) {
  const { plan } = usePlan();
  const navigate = useNavigate();
  const acts = useFolderMemberActs(folder.id);
  const [isManaging, setManaging] = useState(false);
  if (open && isManaging)
    return (
      <Suspense>
        <GroupsDialog open onClose={() => setManaging(false)} />
      </Suspense>
    );
  return (
    <ShareFolderDialog
      open={open}
      folder={folder}
      isOwn={isOwn}
      plan={isOwn ? plan : null}
      acts={acts}
      groups={
        isOwn ? (
          <Suspense>
            <FolderGroups
              folderId={folder.id}
              canExtend={plan?.sharing === true}
              onManage={() => setManaging(true)}
            />
          </Suspense>
        ) : null
      }
      publicPage={
        isOwn ? (
          <Suspense>
            <PublicFolder folder={folder} canPublish={plan?.sharing === true} />
          </Suspense>
        ) : null
      }
      handOver={
        isOwn ? (
          <Suspense>
            <HandOver folderId={folder.id} />
          </Suspense>
        ) : null
      }
      plansButton={
        <Button
          onClick={() => {
            onClose();
            void navigate({ to: '/plans' });
          }}
        >
          {PLAN_MESSAGES.seePlans}
        </Button>
      }
      onClose={onClose}
    />
  );
}

function useFolderMemberActs(folderId: string): FolderMemberActs {
  const { invite, changeRole, remove } = useFolderMemberWrites(folderId);
  const send = async (emails: readonly string[], role: FolderRole, failure: string): Promise<boolean> => {
    try {
      await invite.mutateAsync({ emails, role });
      return true;
    } catch (error) {
      toast.error(failure, describeFolderRefusal(error));
      return false;
    }
  };
  return {
    invite: async (emails, role) => {
      const done = await send(emails, role, words.inviteFailed);
      if (done) toast.success(describeInvited(emails.length), describeInvitationMails(emails.length));
      return done;
    },
    changeRole: ({ id }, role) =>
      void changeRole
        .mutateAsync({ id, role })
        .catch((error: unknown) => toast.error(words.changeFailed, describeFolderRefusal(error))),
    remove: (member: FolderMember) => {
      const removing = remove.mutateAsync(member).then(
        () => member,
        (error: unknown) => {
          toast.error(words.removeFailed, describeFolderRefusal(error));
          return null;
        },
      );
      void followWithUndo(removing, {
        describe: ({ email }) => describeRemovedMember(email),
        undo: ({ email, role }) => void send([email], role, words.returnFailed),
      });
    },
  };
}
