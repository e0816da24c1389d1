import { PLANS, type PlanId } from '@linkoteca/domain/plans';

/** Texts of the admin area: specification, sections 2, 4 and 8, to the letter where it quotes them. */
export const ADMIN_MESSAGES = {
  gate: {
    checking: 'Verificando permissões administrativas...',
    denied: {
      title: 'Acesso Restrito',
      description: 'Esta área é exclusiva para administradores do sistema.',
      support: 'Se você precisa deste acesso, entre em contato com o suporte.',
      supportLink: 'Como falar com o suporte',
    },
    failed: {
      title: 'Ocorreu um erro ao verificar as permissões administrativas.',
      description: 'Por favor, tente novamente mais tarde ou contate o suporte.',
    },
  },
  loadFailed: 'Erro ao carregar usuários. Tente novamente.',
  figuresFailed: 'Erro ao carregar os dados. Tente novamente.',
  linksFailed: 'Erro ao carregar os links. Tente novamente.',
  noUsers: 'Nenhum usuário encontrado',
  noLinks: 'Este usuário não possui links cadastrados',
  untitled: 'Sem título',
  uncategorised: 'Sem categoria',
  planChange: {
    busy: (plan: PlanId) => `Atualizando plano para ${plan}...`,
    done: (plan: PlanId) => `Plano do usuário atualizado para ${PLANS[plan].name} com sucesso!`,
    failed: 'Erro ao atualizar plano. Tente novamente.',
  },
} as const;

/** The states of a subscription as the database names them, in the order of their cycle. */
export const SUBSCRIPTION_STATES = {
  active: 'Ativa',
  trialing: 'Em período de teste',
  canceling: 'Cancelamento agendado',
  payment_failed: 'Falha no pagamento',
  canceled: 'Cancelada',
  expired: 'Expirada',
  refunded: 'Reembolsada',
} as const;

export type SubscriptionState = keyof typeof SUBSCRIPTION_STATES;

export function isSubscriptionState(text: unknown): text is SubscriptionState {
  return Object.hasOwn(SUBSCRIPTION_STATES, String(text));
}

/** Why an account is closed, by the database's names, as the list of users marks and filters it. */
export const CLOSURE_REASONS = {
  deletion: {
    filter: 'Excluídas',
    mark: (until: string) => `Excluída, restaurável até ${until}`,
  },
  inactivity: { filter: 'Suspensas', mark: () => 'Suspensa por falta de uso' },
} as const;

export type ClosureReason = keyof typeof CLOSURE_REASONS;

export function isClosureReason(text: unknown): text is ClosureReason {
  return Object.hasOwn(CLOSURE_REASONS, String(text));
}

/** What the administrator did, by the database's names of it. */
export const AUDIT_ACTIONS: Readonly<Record<string, string>> = {
  overview: 'Abriu o painel',
  users: 'Listou usuários',
  user_links: 'Viu os links de uma pessoa',
  change_plan_refused: 'Tentou mudar um plano (recusado)',
  subscriptions: 'Viu as assinaturas',
  statistics: 'Viu as estatísticas',
  audit: 'Leu este registro',
  profiles: 'Leu todos os perfis',
  emails: 'Leu todos os e-mails',
};
