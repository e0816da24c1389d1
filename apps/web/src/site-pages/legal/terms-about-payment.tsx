import { formatCount, formatPrice } from '@linkoteca/domain/format-number';
import { PLAN_IDS, PLANS, type Plan } from '@linkoteca/domain/plans';
import type { LegalSection } from './legal-document.tsx';

/** Plans, prices and money back; figures from the one table of plans. */
export const TERMS_ABOUT_PAYMENT: readonly LegalSection[] = [
  {
    id: 'planos',
    title: 'Planos e preços',
    content: (
      <>
        <ul>
          {PLAN_IDS.map((id) => (
            <li key={id}>
              <strong>{PLANS[id].name}</strong>: {describePrice(PLANS[id])}. {describeLimits(PLANS[id])}
            </li>
          ))}
        </ul>
        <p>
          Os preços estão em dólares dos Estados Unidos; o valor que vale é o que aparece na tela de pagamento
          antes de você confirmar, com os impostos que couberem. Se um preço mudar, quem já assina é avisado
          por e-mail com pelo menos 30 dias de antecedência, e pode cancelar antes.
        </p>
      </>
    ),
  },
  {
    id: 'pagamento',
    title: 'Pagamento, renovação e cancelamento',
    content: (
      <>
        <p>
          Os pagamentos são feitos com cartão e processados pela Stripe: o número do cartão não passa pelos
          nossos servidores. A assinatura se renova sozinha a cada mês ou a cada ano, conforme a sua escolha,
          até ser cancelada.
        </p>
        <p>
          Você cancela quando quiser, na página do seu perfil, em “Faturamento”. O plano continua até o fim do
          período pago e não há nova cobrança. Ao trocar de um plano pago para outro, o que já foi pago é
          descontado na proporção dos dias que faltam. Se uma cobrança não puder ser feita, avisamos e
          tentamos de novo antes de encerrar o plano.
        </p>
        <p>
          Quando um plano pago acaba, a conta volta ao plano Free e nada é perdido nem escondido: o que passar
          do limite continua podendo ser lido, editado, exportado e apagado. Apenas não será possível
          acrescentar. O que estava compartilhado continua como estava e pode ser reduzido ou encerrado.
        </p>
      </>
    ),
  },
  {
    id: 'devolucao',
    title: 'Devolução do dinheiro',
    content: (
      <p>
        Não gostou? Devolvemos o valor inteiro se a devolução for pedida em até 14 dias do primeiro pagamento,
        sem perguntas: pelo botão na página de faturamento ou escrevendo para nós. O plano pago termina na
        mesma hora. Esse prazo é maior que o de sete dias do artigo 49 do Código de Defesa do Consumidor, e
        nenhum outro direito seu diminui por causa dele.
      </p>
    ),
  },
];

function describePrice({ monthlyPriceCents, yearlyPriceCents }: Plan): string {
  if (monthlyPriceCents === 0) return 'grátis';
  return `${formatPrice(monthlyPriceCents)} por mês ou ${formatPrice(yearlyPriceCents)} por ano`;
}

function describeLimits({ maxLinks, maxCategories, maxReceivedShares, sharing }: Plan): string {
  const links = maxLinks === null ? 'Links sem limite' : `Até ${formatCount(maxLinks, 'link', 'links')}`;
  const categories =
    maxCategories === null
      ? 'categorias sem limite'
      : `até ${formatCount(maxCategories, 'categoria', 'categorias')}`;
  const received =
    maxReceivedShares === null
      ? 'abre tudo o que for compartilhado com você'
      : `abre ${formatCount(maxReceivedShares, 'categoria compartilhada', 'categorias compartilhadas')} com você`;
  const shares = sharing ? 'compartilhamento público e restrito' : 'sem compartilhamento próprio';
  return `${links}, ${categories}, pastas sem limite, ${shares}; ${received}.`;
}
