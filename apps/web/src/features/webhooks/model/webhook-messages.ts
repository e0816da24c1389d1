/** The events that a webhook may want, in the order of the form. */
export const WEBHOOK_EVENTS = ['link.created', 'link.updated', 'link.deleted', 'category.shared'] as const;

const EVENT_NAMES: Readonly<Record<string, string>> = {
  'link.created': 'Link salvo',
  'link.updated': 'Link alterado',
  'link.deleted': 'Link excluído',
  'category.shared': 'Categoria compartilhada',
  'webhook.test': 'Teste',
};

/** What an event is called; one that this app does not know, as the service calls it. */
export function nameEvent(type: string): string {
  return EVENT_NAMES[type] ?? type;
}

/** 'Link salvo, link excluído' */
export function nameEvents(events: readonly string[]): string {
  const names = WEBHOOK_EVENTS.filter((event) => events.includes(event)).map(nameEvent);
  return names.map((name, n) => (n === 0 ? name : name.toLowerCase())).join(', ');
}

export const WEBHOOK_MESSAGES = {
  title: 'Webhooks',
  lead: 'Avisamos um endereço seu, na hora, quando algo muda na sua biblioteca.',
  documentation: 'Como receber',
  none: 'Você não tem webhooks.',
  add: 'Adicionar webhook',
  addTitle: 'Novo webhook',
  editTitle: 'Editar webhook',
  address: 'Endereço',
  addressPlaceholder: 'https://',
  addressHint: 'Um endereço público com https. Não seguimos redirecionamentos.',
  addressInvalid: 'Use um endereço público que comece com https://',
  events: 'Avisar quando',
  nothing: 'Marque pelo menos um evento.',
  saveFailed: 'Não foi possível salvar o webhook. Tente de novo.',
  saved: 'Webhook salvo',
  discard: { title: 'Descartar as mudanças?', description: 'O webhook ainda não foi salvo.' },
  secretTitle: 'Copie o segredo agora: ele não será mostrado de novo.',
  secretWhy: 'Com ele seu programa confere que o aviso veio daqui.',
  secretLabel: 'O segredo novo',
  rotatedWhy: 'O segredo anterior ainda assina por 24 horas.',
  copy: 'Copiar',
  copied: 'Segredo copiado',
  copyFailed: 'Não foi possível copiar. Selecione o segredo e copie.',
  hide: 'Já copiei',
  test: 'Enviar teste',
  testing: 'Enviando...',
  tested: 'Teste enviado',
  testedWhy: 'Veja em Entregas o que o endereço respondeu.',
  testFailed: 'Não foi possível enviar o teste. Tente de novo.',
  log: 'Entregas',
  more: 'Mais ações',
  edit: 'Editar',
  rotate: 'Trocar segredo',
  rotateQuestion: 'Trocar o segredo?',
  rotateWhy: 'Você recebe um novo agora. O atual ainda assina por 24 horas, para você trocar com calma.',
  rotating: 'Trocando...',
  rotateFailed: 'Não foi possível trocar o segredo. Tente de novo.',
  turnOn: 'Ligar',
  turnOff: 'Desligar',
  turnedOn: 'Webhook ligado',
  turnedOff: 'Webhook desligado',
  remove: 'Excluir',
  removed: 'Webhook excluído',
  removeFailed: 'Não foi possível excluir o webhook. Tente de novo.',
  restored: 'Webhook restaurado',
  restoreFailed: 'Não foi possível restaurar o webhook. Tente de novo.',
  loadFailed: 'Não foi possível carregar seus webhooks',
  loadFailedWhy: 'Verifique sua conexão e tente de novo.',
  logNone: 'Nada foi enviado nos últimos 30 dias.',
  logLoadFailed: 'Não foi possível carregar as entregas',
  older: 'Mostrar mais',
  resend: 'Enviar de novo',
  resending: 'Enviando...',
  resent: 'Na fila para ser enviado de novo',
  resendFailed: 'Não foi possível enviar de novo. Tente outra vez.',
} as const;

const OFF_REASONS: Readonly<Record<string, string>> = {
  owner: 'Desligado por você',
  failing: 'Desligado: falhou por três dias. Arrume o endereço e ligue de novo; o que espera será enviado.',
  gone: 'Desligado: o endereço respondeu que não existe mais (410).',
  full: 'Desligado: havia avisos demais esperando.',
};

export interface WebhookState {
  readonly off_reason: string | null;
  readonly waiting: number;
}

/**
 * How a webhook fares, in one line.
 * @param failingSince when it began to fail, in words; null while it does not.
 * @param deliveredAt when something arrived last, in words; null while nothing has.
 */
export function describeWebhook(
  { off_reason, waiting }: WebhookState,
  failingSince: string | null,
  deliveredAt: string | null,
): string {
  if (off_reason !== null) return OFF_REASONS[off_reason] ?? 'Desligado';
  const queue = waiting === 0 ? '' : ` · ${waiting === 1 ? '1 aviso espera' : `${waiting} avisos esperam`}`;
  if (failingSince !== null) return `Falhando desde ${failingSince}${queue}`;
  return `${deliveredAt === null ? 'Nada entregue ainda' : `Última entrega: ${deliveredAt}`}${queue}`;
}

export interface DeliveryState {
  readonly state: string;
  readonly attempts: number;
  readonly outcome: string | null;
  readonly status: number | null;
}

type Words = (delivery: DeliveryState, next: string | null) => string;

const STATES: Readonly<Record<string, Words>> = {
  delivered: ({ status }) => `Entregue${status === null ? '' : ` (${status})`}`,
  failed: (delivery) => `${describeFailure(delivery)}. Desistimos depois de três dias.`,
};

const FAILURES: Readonly<Record<string, Words>> = {
  refused: ({ status }) => `O endereço respondeu ${status ?? 'com um erro'}`,
  timeout: () => 'O endereço não respondeu em 10 segundos',
};

/** What became of a delivery. @param next when it is tried again, in words; null where it is not known. */
export function describeDelivery(delivery: DeliveryState, next: string | null): string {
  return (STATES[delivery.state] ?? describeWaiting)(delivery, next);
}

function describeWaiting(delivery: DeliveryState, next: string | null): string {
  if (delivery.attempts === 0) return 'Na fila';
  const failure = describeFailure(delivery);
  return next === null ? failure : `${failure}. Nova tentativa ${next}`;
}

function describeFailure(delivery: DeliveryState): string {
  return FAILURES[delivery.outcome ?? '']?.(delivery, null) ?? 'O endereço não foi alcançado';
}
