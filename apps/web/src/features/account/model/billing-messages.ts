/** Texts of paying. Those of section 8, 'Plan and payment', are to the letter. */
export const BILLING_MESSAGES = {
  title: 'Faturamento e Assinatura',
  sync: 'Sincronizar',
  syncing: 'Sincronizando...',
  synced: 'Dados da assinatura atualizados',
  subscriptionUpdateFailed: 'Erro ao atualizar dados da assinatura',
  manage: 'Gerenciar Assinatura',
  seePaidPlans: 'Ver planos pagos',
  changePlan: 'Alterar Plano',
  opening: 'Abrindo...',
  checkoutFailed: {
    title: 'Erro ao iniciar processo de pagamento',
    description: 'Por favor, tente novamente em alguns instantes',
  },
  checkoutWithoutUrl: 'Erro ao iniciar o processo de pagamento',
  portalFailed: 'Erro ao abrir o portal de cliente',
  pricesChanged: {
    title: 'Os preços foram atualizados',
    description: 'Confira o valor e escolha de novo.',
  },
  testMode: 'Modo de teste: nenhum cartão de verdade é cobrado.',
  currentPlan: 'Plano atual',
  yourPlan: 'Seu plano',
} as const;

/** Back from the provider's page: /plans?success=true and /plans?canceled=true. */
export const PAYMENT_RETURN_MESSAGES = {
  checking: 'Confirmando seu pagamento...',
  confirmed: (planName: string) => ({
    title: 'Assinatura confirmada!',
    description: `Seu plano agora é o ${planName}.`,
  }),
  pending: {
    title: 'Recebemos seu retorno do pagamento',
    description: 'O plano muda sozinho assim que o pagamento for confirmado.',
  },
  unknown: 'Se o pagamento foi feito, o plano muda sozinho em instantes.',
  canceled: {
    title: 'Pagamento cancelado',
    description: 'Nada foi cobrado. Você pode assinar quando quiser.',
  },
} as const;

/** What a person is told of how their subscription stands, besides its label. */
export const SUBSCRIPTION_NOTICES = {
  paymentFailed: (planName: string) =>
    `Não conseguimos cobrar seu cartão. Atualize o pagamento para voltar a usar tudo do plano ${planName}.`,
  mendPayment: 'Atualizar pagamento',
  ending: (date: string) =>
    `A renovação está cancelada e nada mais será cobrado. Você usa o plano até ${date}; depois volta ao Free, e nada do que você guardou se perde.`,
  keep: 'Manter assinatura',
  trial: (date: string) => `Você está no período de teste até ${date}. Antes disso nada é cobrado.`,
  lapsed:
    'Valem agora os limites do plano Free. Nada do que você guardou se perdeu: o que passa do limite continua aqui para ler, editar e excluir.',
} as const;

/** Invoices and their refund: all that was paid since the first payment, at once. */
export const INVOICE_MESSAGES = {
  title: 'Faturas',
  none: 'Nenhuma fatura ainda',
  loadFailed: 'Não foi possível carregar as faturas',
  loadFailedHint: 'Tente de novo em instantes.',
  receipt: 'Recibo',
  newWindow: 'abre em outra aba',
  statuses: {
    paid: 'Paga',
    open: 'Em aberto',
    draft: 'Em preparo',
    void: 'Anulada',
    uncollectible: 'Não paga',
    refunded: 'Reembolsada',
    partially_refunded: 'Reembolsada em parte',
  },
  refund: 'Pedir reembolso',
  refunding: 'Pedindo reembolso...',
  refundQuestion: 'Pedir reembolso?',
  refundConsequence:
    'Devolvemos ao seu cartão tudo o que você pagou por estas faturas, e sua assinatura termina agora:',
  refundKept:
    'Suas pastas, categorias e links continuam aqui. Passam a valer os limites do plano Free: o que passar deles fica para ler, editar e excluir.',
  refundDone: {
    title: 'Reembolso feito',
    description: 'O valor volta ao cartão em alguns dias, conforme o banco.',
  },
  refundRefused: 'Não foi possível fazer o reembolso',
  refundUnclear: {
    title: 'Não foi possível confirmar o reembolso',
    description: 'Ele pode ter sido feito. Confira as faturas abaixo antes de pedir de novo.',
  },
} as const;
