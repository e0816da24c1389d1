import type { SiteAssets } from '../site-assets.ts';
import { LegalDocument } from './legal-document.tsx';
import { TERMS_ABOUT_ENDING } from './terms-about-ending.tsx';
import { TERMS_ABOUT_PAYMENT } from './terms-about-payment.tsx';
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
