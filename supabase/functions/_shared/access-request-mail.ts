import { FIELD_LIMITS } from '../../../packages/domain/src/limits.ts';
import { addressSharingMail, type Invitation, type InvitationMail, nameSender } from './invitation-mail.ts';
import { quote, separate } from './quoted-words.ts';

/** A row of `claim_access_request_mails`, and where its links lead. */
export interface AccessRequestFacts extends Invitation {
  readonly categoryId: string;
  readonly categoryName: string;
  readonly askerName: string | null;
  readonly askerEmail: string;
  readonly note: string;
}

/** The mail to the owner of a category that somebody asks to open. What the asker wrote stands in it as words: never as link, markup or header. */
export function writeAccessRequestMail(facts: AccessRequestFacts): InvitationMail {
  const asker = nameSender(facts.askerName);
  const name = quote(facts.categoryName, FIELD_LIMITS.categoryName);
  const note = quote(facts.note, FIELD_LIMITS.requestNote);
  return addressSharingMail(facts, {
    // Read without its mail, in a list or a notice: there not even the look of an address remains.
    subject: `${separate(asker)} pede acesso a “${separate(name)}”`,
    title: `${asker} pede acesso a uma categoria sua`,
    paragraphs: [
      `Categoria: “${name}”`,
      `Quem pede: ${facts.askerEmail}`,
      ...(note === '' ? [] : [`Mensagem: “${note}”`]),
    ],
    button: { label: 'Responder ao pedido', path: `/category/${facts.categoryId}?share=1` },
    footnote:
      'Só você decide: sem a sua resposta nada é compartilhado. O nome e a mensagem foram escritos por quem pede; se não conhece essa pessoa, ignore esta mensagem.',
  });
}
