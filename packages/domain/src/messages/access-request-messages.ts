import { formatCount } from '../formats.ts';
import { SHARING_MESSAGES } from './sharing-messages.ts';

/** Words of 'Pedir acesso', for who asks. They never say whether there is anything to open. */
export const ACCESS_REQUEST_MESSAGES = {
  ask: 'Pedir acesso',
  note: 'Mensagem (opcional)',
  notePlaceholder: 'Quem é você, por que quer ver',
  whatIsSeen: 'Se houver alguém para responder, essa pessoa verá seu nome e seu e-mail.',
  send: 'Enviar pedido',
  cancel: 'Cancelar',
  sent: 'Pedido enviado',
  sentHint: 'Se o acesso for permitido, a categoria abre aqui sozinha e você recebe um e-mail.',
  failed: 'Não foi possível enviar o pedido',
  tryAgain: 'Tente de novo em instantes.',
} as const;

/** The same for the owner, who answers. */
export const ACCESS_ANSWER_MESSAGES = {
  title: 'Pedidos de acesso',
  lead: 'Quem você permitir entra na lista de pessoas da categoria. Quem você recusar não fica sabendo e não pode pedir de novo a você.',
  none: 'Nenhum pedido esperando resposta.',
  loadFailed: 'Não foi possível carregar os pedidos',
  allow: 'Permitir',
  refuse: 'Recusar',
  refused: 'Pedido recusado',
  refusedHint: 'Ninguém é avisado.',
  answered: 'Este pedido já foi respondido',
  failed: 'Não foi possível responder ao pedido',
  undoFailed: 'Não foi possível desfazer a recusa',
  tryAgain: 'Tente de novo em instantes.',
} as const;

/** '2 pedidos de acesso' */
export function describeRequests(count: number): string {
  return formatCount(count, 'pedido de acesso', 'pedidos de acesso');
}

/** 'Ana já pode ver “Leituras”' */
export function describeAllowed(asker: string | null, category: string): string {
  return `${asker?.trim() || SHARING_MESSAGES.unknownOwner} já pode ver “${category}”`;
}

/** A button's name, read aloud: 'Permitir ana@exemplo.com em Leituras'. */
export function describeAnswer(answer: string, email: string, category: string): string {
  return `${answer} ${email} em ${category}`;
}
