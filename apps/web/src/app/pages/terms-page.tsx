import { formatPrice } from '@linkoteca/domain/format-number';
import { PLAN_IDS, PLANS } from '@linkoteca/domain/plans';
import { Link } from '@tanstack/react-router';
import { LegalPage } from './legal-page.tsx';

/** /terms: the rules of use. */
export function TermsPage() {
  return (
    <LegalPage
      title="Termos de uso"
      other={
        <Link to="/privacy-policy" className="rounded-sm hover:underline">
          Política de privacidade
        </Link>
      }
    >
      <h2>Quem pode usar</h2>
      <p>É preciso ter pelo menos 13 anos e informar um e-mail válido ao criar a conta.</p>
      <h2>O que não pode ser guardado ou compartilhado</h2>
      <p>
        Links para conteúdo ilegal, explícito, malicioso ou que viole direitos de outras pessoas, nem spam ou
        tentativas de golpe.
      </p>
      <h2>Planos</h2>
      {PLAN_IDS.map((id) => (
        <p key={id}>
          {PLANS[id].name}:{' '}
          {PLANS[id].monthlyPriceCents === 0
            ? 'grátis.'
            : `${formatPrice(PLANS[id].monthlyPriceCents)} por mês ou ${formatPrice(PLANS[id].yearlyPriceCents)} por ano.`}
        </p>
      ))}
      <p>Pagamentos são devolvidos por inteiro quando a devolução é pedida em até 14 dias.</p>
      <h2>Suspensão</h2>
      <p>Uma conta pode ser suspensa se violar estes termos ou depois de 12 meses sem uso.</p>
    </LegalPage>
  );
}
