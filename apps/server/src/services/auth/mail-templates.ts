import { type MailContent, renderMail } from '@linkoteca/domain/mail-templates';
import type { Mail } from '../../kernel/mail.ts';

/** Every mail of the service. None repeats what a stranger could have typed (a name, for one): it would carry his words to others. */
export type MailTemplate =
  | 'confirm_sign_up'
  | 'magic_link'
  | 'reset_password'
  | 'invite'
  | 'email_change_current'
  | 'email_change_new'
  | 'reauthenticate'
  | NoticeTemplate;

/** Those that tell something and carry no token. */
export type NoticeTemplate = 'address_taken' | 'factor_reset_asked' | 'factors_removed';

export type MailFacts = {
  readonly link: string;
  readonly code: string;
  /** Seconds the link or code stays good. */
  readonly lifetime: number;
  /** The address an account is to have, in the mails about changing it. */
  readonly newEmail?: string;
};

const NOT_YOU = 'Se você não pediu isto, ignore este e-mail: nada vai mudar na sua conta.';

const TEMPLATES: Readonly<Record<MailTemplate, (facts: MailFacts) => MailContent>> = {
  confirm_sign_up: ({ link, lifetime }) => ({
    subject: 'Confirme seu e-mail',
    title: 'Confirme seu e-mail',
    paragraphs: [
      'Que bom ter você na Linkoteca! Falta só confirmar que este endereço é seu.',
      `O link vale por ${tellDuration(lifetime)}.`,
    ],
    button: { label: 'Confirmar e-mail', link },
    footnote: 'Se você não criou uma conta na Linkoteca, ignore este e-mail.',
  }),
  magic_link: ({ link, code, lifetime }) => ({
    subject: 'Seu link de acesso',
    title: 'Entre na Linkoteca',
    paragraphs: [
      'Use o botão abaixo para entrar sem senha, ou digite o código onde ele for pedido.',
      `O link e o código valem por ${tellDuration(lifetime)} e funcionam uma única vez.`,
    ],
    button: { label: 'Entrar', link },
    code,
    footnote: NOT_YOU,
  }),
  reset_password: ({ link, lifetime }) => ({
    subject: 'Redefina sua senha',
    title: 'Redefina sua senha',
    paragraphs: [
      'Recebemos um pedido para trocar a senha da sua conta na Linkoteca.',
      `O link vale por ${tellDuration(lifetime)} e funciona uma única vez.`,
    ],
    button: { label: 'Criar nova senha', link },
    footnote: 'Se você não pediu isto, ignore este e-mail: sua senha continua a mesma.',
  }),
  invite: ({ link, lifetime }) => ({
    subject: 'Você recebeu um convite para a Linkoteca',
    title: 'Você recebeu um convite',
    paragraphs: [
      'Há uma conta na Linkoteca esperando por você: um lugar para guardar, organizar e encontrar seus links.',
      `O convite vale por ${tellDuration(lifetime)}.`,
    ],
    button: { label: 'Aceitar convite', link },
    footnote: 'Se você não esperava este convite, ignore este e-mail.',
  }),
  email_change_current: ({ link, lifetime, newEmail = '' }) => ({
    subject: 'Confirme a troca de e-mail',
    title: 'Confirme a troca de e-mail',
    paragraphs: [
      `Pediram para trocar o e-mail da sua conta na Linkoteca para ${newEmail}. Para valer, os dois endereços precisam confirmar.`,
      `O link vale por ${tellDuration(lifetime)}.`,
    ],
    button: { label: 'Confirmar troca', link },
    footnote: 'Se você não pediu isto, não abra o link e troque sua senha.',
  }),
  email_change_new: ({ link, lifetime }) => ({
    subject: 'Confirme seu novo e-mail',
    title: 'Confirme seu novo e-mail',
    paragraphs: [
      'Este endereço foi indicado como o novo e-mail de uma conta na Linkoteca.',
      `O link vale por ${tellDuration(lifetime)}.`,
    ],
    button: { label: 'Confirmar novo e-mail', link },
    footnote: 'Se você não pediu isto, ignore este e-mail.',
  }),
  address_taken: ({ link }) => ({
    subject: 'Você já tem uma conta na Linkoteca',
    title: 'Você já tem uma conta',
    paragraphs: [
      'Alguém, talvez você, quis usar este e-mail em uma nova conta da Linkoteca. Ele já é o e-mail da sua conta.',
      'Entre com a sua senha de sempre. Se não se lembra dela, peça uma nova na página de entrada.',
    ],
    button: { label: 'Entrar', link },
    footnote: 'Se não foi você, ignore este e-mail: nada mudou na sua conta.',
  }),
  factor_reset_asked: ({ link, lifetime }) => ({
    subject: 'Pediram para desligar sua verificação em duas etapas',
    title: 'Pediram para desligar sua verificação em duas etapas',
    paragraphs: [
      `Alguém entrou com a sua senha e disse que perdeu o celular. Daqui a ${tellDuration(lifetime)} será possível desligar a verificação, com um código que enviaremos a este e-mail.`,
      'Foi você? Espere, entre de novo e termine. Achou o celular? Entre com o código dele: o pedido é cancelado.',
    ],
    button: { label: 'Entrar', link },
    footnote:
      'Se não foi você, entre com o código do seu celular, o que cancela o pedido, e troque sua senha: alguém sabe qual é.',
  }),
  factors_removed: ({ link }) => ({
    subject: 'Sua verificação em duas etapas foi desligada',
    title: 'Sua verificação em duas etapas foi desligada',
    paragraphs: [
      'O tempo de espera passou, e a verificação foi desligada com o código que enviamos a este e-mail. Sua conta abre agora só com a senha.',
      'Ligue-a de novo em Perfil, Segurança, com o seu celular novo.',
    ],
    button: { label: 'Entrar', link },
    footnote: 'Se não foi você, troque a senha do seu e-mail e a da Linkoteca.',
  }),
  reauthenticate: ({ code, lifetime }) => ({
    subject: `${code} é o seu código de confirmação`,
    title: 'Confirme que é você',
    paragraphs: [
      'Digite este código na Linkoteca para continuar.',
      `Ele vale por ${tellDuration(lifetime)} e funciona uma única vez.`,
    ],
    code,
    footnote: 'Se você não pediu isto, alguém pode ter entrado na sua conta: troque sua senha.',
  }),
};

export function fillTemplate(template: MailTemplate, facts: MailFacts): MailContent {
  return TEMPLATES[template](facts);
}

const UNITS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const;

/** '1 hora', '24 horas' stays '1 dia': the largest unit that gives a whole number. */
function tellDuration(seconds: number): string {
  const { unit, seconds: length } = UNITS.find((candidate) => seconds % candidate.seconds === 0) ?? {
    unit: 'second',
    seconds: 1,
  };
  return new Intl.NumberFormat('pt-BR', { style: 'unit', unit, unitDisplay: 'long' }).format(
    seconds / length,
  );
}

/** The mail as the mailer takes it. */
export function composeMail(template: MailTemplate, facts: MailFacts, to: string): Mail {
  return { to, ...renderMail(fillTemplate(template, facts)) };
}
