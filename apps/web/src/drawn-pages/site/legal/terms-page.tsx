import { formatCount, formatPrice } from '@linkoteca/domain/formats';
import { PLAN_IDS, PLANS, type Plan } from '@linkoteca/domain/plans';
import type { SiteAssets } from '../site-document.tsx';
import { LegalDocument, type LegalSection, SupportAddress } from './legal-document.tsx';
import { TERMS_ABOUT_USE } from './terms-about-use.tsx';

const SUMMARY = [
  'O que você guarda é seu. Nós só o mostramos a quem você escolher.',
  'O plano Free não custa nada; os pagos têm o preço escrito aqui, e podem ser cancelados a qualquer momento.',
  'Não guarde nem compartilhe o que é ilegal, enganoso ou de outra pessoa.',
  'Se um dia você quiser sair, leve tudo e exclua a conta sem pedir a ninguém.',
];

/** `/terms`: the rules of use (specification, sections 2 and 5). */
export function TermsPage({ assets }: { readonly assets: SiteAssets }) {
  return (
    <LegalDocument
      name="terms"
      title="Termos de uso"
      description="As regras para usar a Linkoteca: quem pode ter conta, planos e preços, o que não pode ser guardado, suspensão e como encerrar."
      summary={SUMMARY}
      sections={[...TERMS_ABOUT_USE, ...TERMS_ABOUT_PAYMENT, ...TERMS_ABOUT_ENDING]}
      assets={assets}
    />
  );
}

/** How an account ends, what can be expected of the service, and whom to write to. */
const TERMS_ABOUT_ENDING: readonly LegalSection[] = [
  {
    id: 'suspensao',
    title: 'Suspensão',
    content: (
      <>
        <p>Uma conta pode ser suspensa em dois casos:</p>
        <ul>
          <li>
            se violar estes termos. Sempre que a lei e a urgência permitirem, avisamos antes e dizemos o
            motivo; você pode responder e pedir que a decisão seja revista por uma pessoa;
          </li>
          <li>
            depois de 12 meses sem uso, isto é, sem que ninguém entre nela. Avisamos duas vezes por e-mail, e
            basta entrar de novo para tudo voltar ao que era.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'encerramento',
    title: 'Encerrar a conta',
    content: (
      <p>
        Você pode excluir a conta na página do seu perfil, em “Dados”, e baixar antes uma cópia completa do
        que guardou. A assinatura é cancelada, os compartilhamentos acabam na hora e tudo é apagado em 30
        dias; até lá, entrar de novo desfaz a exclusão.
      </p>
    ),
  },
  {
    id: 'servico',
    title: 'O que esperar do serviço',
    content: (
      <>
        <p>
          Cuidamos para que a Linkoteca esteja sempre no ar, rápida e com cópias de segurança. Ainda assim
          pode haver falhas e pausas para manutenção: guarde também em outro lugar aquilo que não pode perder.
        </p>
        <p>
          Os links levam a páginas de outras pessoas, que não controlamos e pelas quais não respondemos.
          Respondemos pelos danos que causarmos a você na medida da lei brasileira; nada nestes termos afasta
          os direitos que ela lhe dá.
        </p>
      </>
    ),
  },
  {
    id: 'mudancas',
    title: 'Mudanças nestes termos',
    content: (
      <p>
        Quando estes termos mudarem, a data no alto da página muda com eles. Se a mudança reduzir um direito
        seu, avisamos por e-mail com pelo menos 30 dias de antecedência; quem não concordar pode encerrar a
        conta e receber de volta a parte não usada do que pagou.
      </p>
    ),
  },
  {
    id: 'lei',
    title: 'Lei e contato',
    content: (
      <p>
        Vale a lei brasileira. Se você é consumidor, qualquer disputa pode ser levada ao foro da cidade onde
        mora. Antes disso, escreva para <SupportAddress />: costuma ser mais rápido.
      </p>
    ),
  },
];

/** Plans, prices and money back; figures from the one table of plans. */
const TERMS_ABOUT_PAYMENT: readonly LegalSection[] = [
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
