import { FIELD_LIMITS } from '../../../packages/domain/src/limits.ts';
import { addressInvitation, type Invitation, type InvitationMail, nameSender } from './invitation-mail.ts';
import { quote, separate } from './quoted-words.ts';

/** A row of `claim_share_notifications`, and where its links lead. */
export interface ShareMailFacts extends Invitation {
  readonly categoryId: string;
  readonly categoryName: string;
  readonly description: string | null;
  readonly ownerName: string | null;
}

/** The mail to somebody who was invited to a category. What the owner wrote stands in it as words: never as link, markup or header. */
export function writeShareMail(facts: ShareMailFacts): InvitationMail {
  const owner = nameSender(facts.ownerName);
  const name = quote(facts.categoryName, FIELD_LIMITS.categoryName);
  const description = quote(facts.description ?? '', FIELD_LIMITS.categoryDescription);
  return addressInvitation(facts, {
    // Read without its mail, in a list or a notice: there not even the look of an address remains.
    subject: `${separate(owner)} compartilhou “${separate(name)}” com você`,
    title: `${owner} compartilhou uma categoria com você`,
    paragraphs: [`Categoria: “${name}”`, ...(description === '' ? [] : [`Descrição: “${description}”`])],
    purpose: 'ver os links',
    button: { label: 'Abrir categoria', path: `/shared/${facts.categoryId}` },
    footnote: `Você recebeu este e-mail porque ${owner} deu a ${facts.email} acesso a esta categoria. O nome e a descrição foram escritos por quem compartilha; se não conhece essa pessoa, ignore esta mensagem.`,
  });
}
