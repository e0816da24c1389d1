import { formatCount } from '@linkoteca/domain/formats';
import { SHARING_MESSAGES } from '@linkoteca/domain/messages/sharing-messages';
import { MAX_INVITED, type SharingMode } from '@linkoteca/domain/sharing';

/** What the owner of a category reads when sharing it; texts of the specification stand in sharing-messages. */
export const SHARING_DIALOG_MESSAGES = {
  title: 'Compartilhar categoria',
  who: 'Quem pode ver',
  reduceOnly:
    'Seu plano atual não inclui compartilhamento: você pode reduzir ou encerrar este, mas não ampliar.',
  emailField: 'Convidar por e-mail',
  emailPlaceholder: 'nome@exemplo.com',
  emailHint: 'Enter ou vírgula adiciona; você também pode colar vários de uma vez.',
  freshLabel: 'Novos convites',
  listLabel: 'Pessoas convidadas',
  ownEmail: 'Você já tem acesso à sua categoria',
  full: `No máximo ${MAX_INVITED} endereços por categoria`,
  noneInvited: 'Adicione pelo menos um e-mail, ou escolha outra opção acima.',
  linkField: 'Link',
  linkAfterSave: 'O link passa a funcionar quando você salvar.',
  linkRestricted: 'Só abre para quem está na lista, depois de entrar.',
  linkPublic: 'Quem tiver este link pode ver e passar adiante.',
  extras: 'Endereço legível e incorporação',
  readable: 'Endereço legível',
  embed: 'Código para incorporar',
  copyEmbed: 'Copiar código',
  discard: { title: 'Descartar as mudanças?', description: 'O compartilhamento ainda não foi salvo.' },
  keptAfterFailure: 'Suas mudanças continuam aqui.',
} as const;

interface ModeWords {
  readonly label: string;
  readonly hint: string;
}

export const SHARING_MODE_WORDS: Readonly<Record<SharingMode, ModeWords>> = {
  private: { label: 'Privada', hint: 'Só você vê esta categoria.' },
  public: { label: 'Pública, por link', hint: 'Qualquer pessoa com o link pode ver, mesmo sem conta.' },
  restricted: { label: 'Restrita, somente e-mails', hint: 'Só quem você convidar, depois de entrar.' },
};

/** Said when addresses came to the list: '3 e-mails adicionados'. */
export function describeAddedEmails(count: number): string {
  return `${formatCount(count, 'e-mail adicionado', 'e-mails adicionados')}`;
}

/** Said of an address for which a list has no room. */
export function describeFullEmails(max: number): string {
  return `No máximo ${max} endereços`;
}

/** Addresses of a list that are not added a second time; of many the first. */
export function describeRepeatedEmails(emails: readonly string[]): string {
  const [only] = emails;
  if (only !== undefined && emails.length === 1) return `${SHARING_MESSAGES.duplicateEmail}: ${only}`;
  const named = emails.slice(0, 3).join(', ');
  const others = emails.length > 3 ? ` e mais ${emails.length - 3}` : '';
  return `Estes e-mails já foram adicionados: ${named}${others}`;
}

/** Said when one left it. */
export function describeRemovedEmail(email: string): string {
  return `${email} removido`;
}

/** What pressing the button does: 'Enviar 3 convites'; without anybody to invite it says nothing of a number. */
export function describeInvitations(count: number): string {
  return count === 0 ? 'Enviar convites' : `Enviar ${formatCount(count, 'convite', 'convites')}`;
}

/** The name of a wrong address that goes back into the field when it is pressed. */
export function describeWrongEmail({
  text,
  reason,
}: {
  readonly text: string;
  readonly reason: string;
}): string {
  return `Corrigir ${text}: ${reason}`;
}

/** What choosing another mode takes away. */
export function describeLostAccess(count: number): string {
  return count === 1
    ? 'Ao salvar, 1 pessoa sai da lista de convidados.'
    : `Ao salvar, ${count} pessoas saem da lista de convidados.`;
}
