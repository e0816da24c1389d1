import type { FolderRole } from '../../../packages/domain/src/folder-roles.ts';
import { FIELD_LIMITS } from '../../../packages/domain/src/limits.ts';
import { addressInvitation, type Invitation, type InvitationMail, nameSender } from './invitation-mail.ts';
import { quote, separate } from './quoted-words.ts';

/** A row of `claim_folder_notifications`, and where its links lead. */
export interface FolderMailFacts extends Invitation {
  readonly folderName: string;
  readonly role: FolderRole;
  /** Whoever invited: the owner or a manager. */
  readonly senderName: string | null;
  /** Null in a folder without categories, which nobody can open: then the link leads to 'Compartilhados com você'. */
  readonly firstCategoryId: string | null;
}

const MAY: Readonly<Record<FolderRole, string>> = {
  viewer: 'ver',
  editor: 'editar',
  manager: 'gerenciar',
};

/** The mail to somebody who was invited to a folder. Others' words stand in it as words: never as link, markup or header. */
export function writeFolderMail(facts: FolderMailFacts): InvitationMail {
  const sender = nameSender(facts.senderName);
  const name = quote(facts.folderName, FIELD_LIMITS.folderName);
  const { firstCategoryId } = facts;
  return addressInvitation(facts, {
    // Read without its mail, in a list or a notice: there not even the look of an address remains.
    subject: `${separate(sender)} compartilhou a pasta “${separate(name)}” com você`,
    title: `${sender} compartilhou uma pasta com você`,
    paragraphs: [`Pasta: “${name}”`, `Você pode ${MAY[facts.role]}.`],
    purpose: 'abrir a pasta',
    button: {
      label: 'Abrir pasta',
      // Pages of one's own library: who is not signed in goes by way of signing in or up, and comes back.
      path: firstCategoryId === null ? '/dashboard' : `/category/${firstCategoryId}`,
    },
    footnote: `Você recebeu este e-mail porque ${sender} deu a ${facts.email} acesso a esta pasta. Os nomes foram escritos por quem compartilha; se não conhece essa pessoa, ignore esta mensagem.`,
  });
}
