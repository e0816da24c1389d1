/** What the payment functions say when they do not do what they were asked for. The screens show these sentences as they are. */
export const PAYMENT_REFUSALS = {
  signIn: 'Você precisa estar autenticado para realizar esta operação',
  method: 'Método não permitido',
  malformed: 'O pedido está malformado',
  otherUser: 'Você só pode fazer isso na sua própria conta',
  unknownPrice: 'Plano desconhecido. Atualize a página e escolha de novo.',
  returnAddress: 'O endereço de retorno não é deste site',
  samePlan: 'Você já assina este plano',
  checkoutRunning: 'Outra compra sua está em andamento. Tente novamente em alguns instantes.',
  noCustomer: 'Você ainda não tem uma assinatura para gerenciar',
  unreachable: 'O serviço de pagamento não respondeu. Tente novamente em alguns instantes.',
  unexpected: 'O serviço de pagamento não pôde atender o pedido. Tente novamente em alguns instantes.',
  nothingToRefund: 'Não há pagamento a reembolsar',
  refundTooLate: (days: number) =>
    `O reembolso integral vale por ${days} dias a partir do primeiro pagamento, e esse prazo já terminou`,
  refundUsed: 'O reembolso desta conta já foi usado. Para esta assinatura, fale com o suporte.',
  refundDisputed: 'Este pagamento está em contestação no banco do cartão, que decide sobre a devolução',
  refundHalfway: 'Sua assinatura foi encerrada, mas o reembolso ainda não saiu. Tente de novo em instantes.',
} as const;
