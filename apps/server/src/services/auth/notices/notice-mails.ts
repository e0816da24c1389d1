import { type MailContent, renderMail } from '@linkoteca/domain/mail-templates';
import type { Mail } from '../../../kernel/mail.ts';
import type { MailOverride, NoticeKind } from '../../../kernel/settings.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { applyMailOverride } from '../mail-overrides.ts';

/** What a mail about a change tells; what does not belong to it is left out. */
export type NoticeFacts = {
  readonly oldEmail?: string;
  readonly phone?: string;
  readonly oldPhone?: string;
  readonly provider?: string;
  readonly factorType?: string;
};

const NOT_YOU =
  'Se não foi você, peça uma nova senha na página de entrada: isso tira da sua conta quem estiver nela.';

type Words = Pick<MailContent, 'title' | 'paragraphs'> & { readonly footnote?: string };

const NOTICES: Readonly<Record<NoticeKind, (facts: NoticeFacts & { readonly email: string }) => Words>> = {
  password_changed: () => ({
    title: 'Sua senha foi trocada',
    paragraphs: [
      'A senha da sua conta na Linkoteca acaba de ser trocada. Nos outros aparelhos, é preciso entrar de novo.',
    ],
  }),
  email_changed: ({ email, oldEmail = '' }) => ({
    title: 'O e-mail da sua conta foi trocado',
    paragraphs: [`Sua conta na Linkoteca, que tinha o e-mail ${oldEmail}, agora tem ${email}.`],
    footnote: 'Se não foi você, responda a esta mensagem ou escreva ao suporte da Linkoteca.',
  }),
  phone_changed: ({ phone = '', oldPhone = '' }) => ({
    title: 'O telefone da sua conta foi trocado',
    paragraphs: [
      oldPhone === ''
        ? `Sua conta na Linkoteca agora tem o telefone +${phone}.`
        : `Sua conta na Linkoteca, que tinha o telefone +${oldPhone}, agora tem +${phone}.`,
    ],
  }),
  identity_linked: ({ provider = '' }) => ({
    title: 'Sua conta tem um novo modo de entrar',
    paragraphs: [`Agora também se entra na sua conta da Linkoteca por ${nameProvider(provider)}.`],
  }),
  identity_unlinked: ({ provider = '' }) => ({
    title: 'Sua conta tem um modo de entrar a menos',
    paragraphs: [`Não se entra mais na sua conta da Linkoteca por ${nameProvider(provider)}.`],
  }),
  mfa_factor_enrolled: ({ factorType = '' }) => ({
    title: 'Sua conta tem uma segunda prova',
    paragraphs: [`Para entrar na sua conta da Linkoteca agora também se pede ${nameFactor(factorType)}.`],
  }),
  mfa_factor_unenrolled: ({ factorType = '' }) => ({
    title: 'Sua conta tem uma segunda prova a menos',
    paragraphs: [
      `Sua conta na Linkoteca tinha uma segunda prova que foi retirada: ${nameFactor(factorType)}.`,
    ],
  }),
};

function nameProvider(provider: string): string {
  if (provider === 'email') return 'e-mail';
  if (provider === 'phone') return 'telefone';
  return provider.charAt(0).toUpperCase() + provider.slice(1);
}

function nameFactor(type: string): string {
  if (type === 'totp') return 'o código de um aplicativo';
  return type === 'phone' ? 'o código de uma mensagem de texto' : 'uma chave de segurança';
}

/**
 * A mail about a change that has happened, in our words or in the operator's.
 * @param email of the account as it is now
 */
export function composeNotice(
  { siteUrl }: Pick<AuthSettings, 'siteUrl'>,
  kind: NoticeKind,
  override: MailOverride,
  { to, email, ...facts }: NoticeFacts & { readonly to: string; readonly email: string },
): Mail {
  const words = NOTICES[kind]({ ...facts, email });
  const own = { to, ...renderMail({ footnote: NOT_YOU, ...words, subject: words.title }) };
  const values = {
    SiteURL: siteUrl,
    Email: email,
    OldEmail: facts.oldEmail ?? '',
    Phone: facts.phone ?? '',
    OldPhone: facts.oldPhone ?? '',
    Provider: facts.provider ?? '',
    FactorType: facts.factorType ?? '',
  };
  return { ...own, ...applyMailOverride(own, override, values) };
}
