import {
  type MailSection,
  type RenderedMail,
  renderMail,
} from '../../../packages/domain/src/mail-templates.ts';
import { SHARING_MESSAGES } from '../../../packages/domain/src/messages/sharing-messages.ts';
import { quote } from './quoted-words.ts';

/** Who gets a mail about sharing, and where its links lead. */
export interface Invitation {
  readonly email: string;
  readonly unsubscribeToken: string;
  /** Where people open the product, without a slash at the end. */
  readonly siteUrl: string;
  /** Where functions are called, without a slash at the end: `https://links.exemplo.com/functions/v1`. */
  readonly functionsUrl: string;
}

/** What a mail says of the thing that is shared. Others' words in it are quoted already. */
interface InvitationWords {
  readonly subject: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly sections?: readonly MailSection[];
  /** Why to sign in: 'ver os links'. */
  readonly purpose: string;
  /** `path` within the product, beginning with a slash. */
  readonly button: { readonly label: string; readonly path: string };
  readonly footnote: string;
}

type SharingWords = Omit<InvitationWords, 'purpose'>;

export interface InvitationMail extends RenderedMail {
  readonly to: string;
  readonly headers: Readonly<Record<string, string>>;
}

const SENDER_NAME_CHARACTERS = 60;

/** The quoted name of whoever shares, or 'Usuário'. */
export function nameSender(name: string | null): string {
  return quote(name ?? '', SENDER_NAME_CHARACTERS) || SHARING_MESSAGES.unknownOwner;
}

/** What mails to invited people have in common: how to sign in, and how to end such mails. */
export function addressInvitation(
  invitation: Invitation,
  { purpose, ...words }: InvitationWords,
): InvitationMail {
  const signIn = `Para ${purpose}, entre na Linkoteca com o e-mail ${invitation.email}. Se você ainda não tem conta, crie uma com este mesmo endereço.`;
  return addressSharingMail(invitation, { ...words, paragraphs: [...words.paragraphs, signIn] });
}

/** How mails of a kind are ended: `query` tells the page and the function which of them are meant. */
type Ending = { readonly label: string; readonly query: string };

const SHARING_ENDING: Ending = { label: 'Não quero mais receber avisos de compartilhamento', query: '' };

/** What all mails about sharing have in common: how to end them. */
export function addressSharingMail(
  { email, siteUrl, functionsUrl, unsubscribeToken }: Invitation,
  { button, ...words }: SharingWords,
  { label, query }: Ending = SHARING_ENDING,
): InvitationMail {
  const key = `token=${unsubscribeToken}${query}`;
  const rendered = renderMail({
    ...words,
    button: { label: button.label, link: `${siteUrl}${button.path}` },
    unsubscribe: { label, link: `${siteUrl}/unsubscribe?${key}` },
  });
  return {
    ...rendered,
    to: email,
    headers: {
      // RFC 8058: the mail program's own button, without a page in between.
      'List-Unsubscribe': `<${functionsUrl}/share-unsubscribe?${key}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      // RFC 3834: automatic replies shall not answer it.
      'Auto-Submitted': 'auto-generated',
    },
  };
}
