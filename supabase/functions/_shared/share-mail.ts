import { FIELD_LIMITS } from '../../../packages/domain/src/limits.ts';
import { type RenderedMail, renderMail } from '../../../packages/domain/src/mail-templates.ts';
import { SHARING_MESSAGES } from '../../../packages/domain/src/messages/sharing-messages.ts';
import { shortenText } from '../../../packages/domain/src/shorten-text.ts';

/** A row of `claim_share_notifications`, and where its links lead. */
export interface ShareMailFacts {
  readonly email: string;
  readonly categoryId: string;
  readonly categoryName: string;
  readonly description: string | null;
  readonly ownerName: string | null;
  readonly unsubscribeToken: string;
  /** Where people open the product, without a slash at the end. */
  readonly siteUrl: string;
  /** Where functions are called, without a slash at the end: `https://links.exemplo.com/functions/v1`. */
  readonly functionsUrl: string;
}

export interface ShareMail extends RenderedMail {
  readonly to: string;
  readonly headers: Readonly<Record<string, string>>;
}

const OWNER_NAME_CHARACTERS = 60;
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** They turn the words around them, or hide in them. What emoji are joined and chosen by stays. */
const INVISIBLE = /(?!\u200D|\uFE0E|\uFE0F)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\u2800]/gu;
/** More than any script needs on one letter hides the line above. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
/** What holds an address together, and what programs take for it (UTS 46 maps the dots). */
const JOINTS =
  /(?<=\S)[.:@/\\\u2024\u2044\u2215\u3002\uFE52\uFE55\uFE6B\uFF0E\uFF0F\uFF1A\uFF20\uFF3C\uFF61](?=\S)/g;
const ZERO_WIDTH_SPACE = '\u200B';

/** The mail to somebody who was invited to a category. What the owner wrote stands in it as words: never as link, markup or header. */
export function writeShareMail(facts: ShareMailFacts): ShareMail {
  const { email, categoryId, siteUrl, functionsUrl, unsubscribeToken } = facts;
  const owner = quote(facts.ownerName ?? '', OWNER_NAME_CHARACTERS) || SHARING_MESSAGES.unknownOwner;
  const name = quote(facts.categoryName, FIELD_LIMITS.categoryName);
  const description = quote(facts.description ?? '', FIELD_LIMITS.categoryDescription);
  const rendered = renderMail({
    // Read without its mail, in a list or a notice: there not even the look of an address remains.
    subject: `${separate(owner)} compartilhou “${separate(name)}” com você`,
    title: `${owner} compartilhou uma categoria com você`,
    paragraphs: [
      `Categoria: “${name}”`,
      ...(description === '' ? [] : [`Descrição: “${description}”`]),
      `Para ver os links, entre na Linkoteca com o e-mail ${email}. Se você ainda não tem conta, crie uma com este mesmo endereço.`,
    ],
    button: { label: 'Abrir categoria', link: `${siteUrl}/shared/${categoryId}` },
    footnote: `Você recebeu este e-mail porque ${owner} deu a ${email} acesso a esta categoria. O nome e a descrição foram escritos por quem compartilha; se não conhece essa pessoa, ignore esta mensagem.`,
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

/** Somebody's words on one line. Mail programs make a link of whatever looks like one, so nothing may look like one. */
function quote(raw: string, max: number): string {
  const line = raw
    .toWellFormed()
    .replace(CONTROLS, ' ')
    .replace(INVISIBLE, '')
    .replace(PILED_MARKS, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  return shortenText(line, max).replace(JOINTS, `$&${ZERO_WIDTH_SPACE}`);
}

/** Quoted words with a blank in place of what would join them to an address. */
function separate(quoted: string): string {
  return quoted.replaceAll(ZERO_WIDTH_SPACE, '').replace(JOINTS, ' ').replace(/\s+/g, ' ').trim();
}
