import { type RenderedMail, renderMail } from '../../../packages/domain/src/mail-templates.ts';
import { SHARING_MESSAGES } from '../../../packages/domain/src/messages/sharing-messages.ts';
import { quote } from './quoted-words.ts';

/** Who is invited, and where the mail's links lead. */
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
  /** Why to sign in: 'ver os links'. */
  readonly purpose: string;
  /** `path` within the product, beginning with a slash. */
  readonly button: { readonly label: string; readonly path: string };
  readonly footnote: string;
}

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
export function addressInvitation(invitation: Invitation, words: InvitationWords): InvitationMail {
  const { email, siteUrl, functionsUrl, unsubscribeToken } = invitation;
  const { subject, title, paragraphs, purpose, button, footnote } = words;
  const rendered = renderMail({
    subject,
    title,
    paragraphs: [
      ...paragraphs,
      `Para ${purpose}, entre na Linkoteca com o e-mail ${email}. Se você ainda não tem conta, crie uma com este mesmo endereço.`,
    ],
    button: { label: button.label, link: `${siteUrl}${button.path}` },
    footnote,
    unsubscribe: {
      label: 'Não quero mais receber avisos de compartilhamento',
      link: `${siteUrl}/unsubscribe?token=${unsubscribeToken}`,
    },
  });
  return {
    ...rendered,
    to: email,
    headers: {
      // RFC 8058: the mail program's own button, without a page in between.
      'List-Unsubscribe': `<${functionsUrl}/share-unsubscribe?token=${unsubscribeToken}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      // RFC 3834: automatic replies shall not answer it.
      'Auto-Submitted': 'auto-generated',
    },
  };
}
