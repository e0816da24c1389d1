import type { LegalSection } from './legal-document.tsx';
import { SupportAddress } from './support-address.tsx';

/** How an account ends, what can be expected of the service, and whom to write to. */
export const TERMS_ABOUT_ENDING: readonly LegalSection[] = [
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
