import { formatLongDate } from './format-date.ts';
import { type Letter, type RenderedLetter, renderLetter } from './render-letter.ts';

export type AccountMailKind = 'deleted' | 'inactive_first' | 'inactive_second' | 'suspended';

/** A row of `claim_account_mails`, and where its link leads. */
export type AccountMailFacts = {
  readonly kind: AccountMailKind;
  readonly email: string;
  readonly name: string | null;
  /** Until when an account can be had back, or when it will be suspended. */
  readonly deadline: Date;
  /** Where people open the product, without a slash at the end. */
  readonly siteUrl: string;
};

export type AccountMail = RenderedLetter & {
  readonly to: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** A mail does not know where it is read. */
const ZONE = 'America/Sao_Paulo';
const DAY_MS = 86_400_000;
/** Longer than a name of one's own, and a name that looks like an address is none. */
const MAX_NAME = 60;

/** The mail about an account's own life: it was closed, it will be suspended, it is. */
export function writeAccountMail(facts: AccountMailFacts): AccountMail {
  return {
    ...renderLetter(LETTERS[facts.kind](facts)),
    to: facts.email,
    // RFC 3834: automatic replies shall not answer it.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

const LETTERS: Readonly<Record<AccountMailKind, (facts: AccountMailFacts) => Letter>> = {
  deleted: ({ siteUrl, email, name, deadline }) => ({
    subject: 'Sua conta na Linkoteca foi excluída',
    title: 'Sua conta foi excluída',
    paragraphs: [
      greet(name),
      `A conta ${email} foi fechada, como você pediu. Você saiu em todos os dispositivos, nada mais é cobrado, e o que estava compartilhado não abre mais.`,
      // The last whole day: whoever comes on it is not too late, wherever they are.
      `Mudou de ideia? Entre de novo até ${day(deadline, -1)} e tudo volta, menos os compartilhamentos. Depois dessa data, todos os seus dados são apagados de vez.`,
    ],
    button: { label: 'Restaurar minha conta', link: `${siteUrl}/login` },
    footnote:
      'Se não foi você quem pediu, entre na sua conta agora para restaurá-la e troque a senha em seguida.',
  }),
  inactive_first: (facts) => warn(facts, 'Sua conta na Linkoteca será suspensa em breve'),
  inactive_second: (facts) => warn(facts, 'Último aviso: sua conta na Linkoteca será suspensa'),
  suspended: ({ siteUrl, email, name }) => ({
    subject: 'Sua conta na Linkoteca foi suspensa',
    title: 'Sua conta foi suspensa por falta de uso',
    paragraphs: [
      greet(name),
      `Ninguém entra na conta ${email} há mais de 12 meses, e ela foi suspensa. Seus links estão guardados, mas o que você compartilhou não abre enquanto isso.`,
      'Para reativar tudo na hora, basta entrar.',
    ],
    button: { label: 'Reativar minha conta', link: `${siteUrl}/login` },
    footnote: 'Você recebeu este e-mail porque tem uma conta na Linkoteca.',
  }),
};

function warn({ siteUrl, email, name, deadline }: AccountMailFacts, subject: string): Letter {
  return {
    subject,
    title: `Sua conta será suspensa em ${day(deadline)}`,
    paragraphs: [
      greet(name),
      `Faz muito tempo que ninguém entra na conta ${email}. Contas sem uso por 12 meses são suspensas: seus links continuam guardados, mas o que você compartilhou deixa de abrir.`,
      'Para que nada mude, basta entrar uma vez.',
    ],
    button: { label: 'Entrar na Linkoteca', link: `${siteUrl}/login` },
    footnote: 'Você recebeu este e-mail porque tem uma conta na Linkoteca.',
  };
}

function day(date: Date, days = 0): string {
  return formatLongDate(new Date(date.getTime() + days * DAY_MS), ZONE);
}

/** Names are free text: one that mail programs could take for a link is left out. */
function greet(name: string | null): string {
  const line = (name ?? '').replace(/\s+/g, ' ').trim();
  return line === '' || line.length > MAX_NAME || /[.:@/\\\p{C}]/u.test(line) ? 'Olá!' : `Olá, ${line}!`;
}
