import { formatNumber, formatPrice } from '@linkoteca/domain/formats';
import { REFUND_DAYS } from '@linkoteca/domain/limits';
import { type BillingInterval, PLAN_IDS, PLANS, type Plan } from '@linkoteca/domain/plans';

/** Words of the plan cards. */
export const PLAN_OFFER_MESSAGES = {
  lead: 'Mude quando precisar. Nada do que você guardou se perde ao trocar de plano.',
  intervals: 'Período de cobrança',
  interval: { month: 'Mensal', year: 'Anual' },
  per: { month: 'por mês', year: 'por ano' },
  paid: { month: 'mensal', year: 'anual' },
  free: 'Grátis, sem prazo',
  subscribe: (planName: string) => `Assinar ${planName}`,
  change: (planName: string) => `Mudar para o ${planName}`,
  changeInterval: { month: 'Mudar para cobrança mensal', year: 'Mudar para cobrança anual' },
  cancel: 'Cancelar assinatura',
  from: (date: string) => `A partir de ${date}`,
  notSold: 'Indisponível no momento',
  opening: 'Abrindo pagamento...',
  included: 'Sim',
  notIncluded: 'Não',
  comparison: 'Compare os planos',
  questions: 'Perguntas sobre dinheiro',
} as const;

/** '2 meses grátis' beside the yearly period: whole months only; null when a year costs no less than eleven of them. */
export function describeYearlySaving(monthlyCents: number, yearlyCents: number): string | null {
  const months = Math.floor((monthlyCents * 12 - yearlyCents) / monthlyCents);
  if (!(months >= 1)) return null;
  return months === 1 ? '1 mês grátis' : `${months} meses grátis`;
}

/** The line below a price: what the other period costs, or what the year saves. */
export const OTHER_PERIOD: Readonly<
  Record<BillingInterval, (monthlyCents: number, yearlyCents: number, currency: string) => string>
> = {
  month: (_monthlyCents, yearlyCents, currency) => `ou ${formatPrice(yearlyCents, currency)} por ano`,
  year: (monthlyCents, yearlyCents, currency) => {
    const saved = monthlyCents * 12 - yearlyCents;
    return saved > 0 ? `economize ${formatPrice(saved, currency)} por ano` : 'cobrado uma vez por ano';
  },
};

/** A line of a plan's card: what the plan allows, or lacks. */
export interface PlanLine {
  readonly text: string;
  readonly included: boolean;
}

/** What a plan allows, line by line, for its card; what it lacks last. */
export function describePlan(plan: Plan): readonly PlanLine[] {
  const includes = (text: string): PlanLine => ({ text, included: true });
  const sharing = 'Compartilhar categorias, em público ou com convidados';
  return [
    includes(plan.maxLinks === null ? 'Links sem limite' : `Até ${formatNumber(plan.maxLinks)} links`),
    includes(
      plan.maxCategories === null
        ? 'Categorias sem limite'
        : `Até ${formatNumber(plan.maxCategories)} categorias`,
    ),
    includes('Pastas sem limite'),
    includes(
      plan.maxReceivedShares === null
        ? 'Abrir tudo o que compartilharem com você'
        : `Abrir ${formatNumber(plan.maxReceivedShares)} categoria compartilhada com você`,
    ),
    plan.sharing ? includes(sharing) : { text: 'Sem compartilhar: só você abre', included: false },
  ];
}

/** A figure, 'Sem limite', or whether the plan has it. */
export type ComparedValue = string | boolean;

export interface ComparedFeature {
  readonly name: string;
  /** In the order of PLAN_IDS. */
  readonly values: readonly ComparedValue[];
}

const figure = (value: number | null) => (value === null ? 'Sem limite' : formatNumber(value));
const compare = (name: string, read: (plan: Plan) => ComparedValue): ComparedFeature => ({
  name,
  values: PLAN_IDS.map((id) => read(PLANS[id])),
});

/** The rows of the comparison, all from the one table of plans. */
export const PLAN_COMPARISON: readonly ComparedFeature[] = [
  compare('Links', (plan) => figure(plan.maxLinks)),
  compare('Categorias', (plan) => figure(plan.maxCategories)),
  compare('Pastas', () => figure(null)),
  compare('Categorias compartilhadas com você', (plan) => figure(plan.maxReceivedShares)),
  compare('Compartilhar em público ou com convidados', (plan) => plan.sharing),
  compare('Importar e exportar favoritos', (plan) => plan.sharing),
  compare('Baixar uma cópia de todos os seus dados', () => true),
  compare(`Reembolso em ${REFUND_DAYS} dias`, (plan) => plan.monthlyPriceCents > 0),
];

/** What people ask before they pay. */
export const MONEY_QUESTIONS: readonly { readonly question: string; readonly answer: string }[] = [
  {
    question: 'Posso pedir meu dinheiro de volta?',
    answer: `Sim. Até ${REFUND_DAYS} dias depois do primeiro pagamento devolvemos o valor inteiro, sem perguntas: em Perfil, Faturamento, escolha Pedir reembolso.`,
  },
  {
    question: 'Posso cancelar quando quiser?',
    answer:
      'Sim, em Gerenciar Assinatura. Você usa o plano até o fim do período que já pagou, e nada mais é cobrado.',
  },
  {
    question: 'E se eu voltar para o Free com muitos links?',
    answer:
      'Nada se perde nem se esconde. O que passar do limite continua aberto para ler, editar e excluir, e o que já está compartilhado continua no ar. Só o que é novo espera haver espaço.',
  },
  {
    question: 'E se eu trocar de plano no meio do período?',
    answer: 'Você paga só a diferença pelos dias que faltam. O que já pagou é descontado.',
  },
];
