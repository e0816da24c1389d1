import type { LegalSection } from './legal-document.tsx';
import { SupportAddress } from './support-address.tsx';

/** What people may ask for (LGPD, art. 18), and how. */
export const PRIVACY_ABOUT_RIGHTS: readonly LegalSection[] = [
  {
    id: 'seus-direitos',
    title: 'Os seus direitos, e como usá-los',
    content: (
      <>
        <p>O artigo 18 da LGPD lhe dá estes direitos. Para quase todos há um botão:</p>
        <ul>
          <li>
            <strong>Confirmar e acessar:</strong> tudo o que guardamos está nas suas telas; a cópia completa,
            em Perfil, “Dados”, “Baixar”.
          </li>
          <li>
            <strong>Corrigir:</strong> o nome, em Perfil; o conteúdo, onde ele está. Para mudar o e-mail,
            escreva para nós.
          </li>
          <li>
            <strong>Levar para outro serviço (portabilidade):</strong> a cópia completa vem em JSON, que
            outros programas leem.
          </li>
          <li>
            <strong>Apagar:</strong> cada item, quando quiser; a conta inteira, em Perfil, “Dados”.
          </li>
          <li>
            <strong>Anonimizar ou bloquear</strong> o que for desnecessário ou excessivo: escreva para nós.
          </li>
          <li>
            <strong>Saber com quem compartilhamos:</strong> a lista está acima; detalhes, por e-mail.
          </li>
          <li>
            <strong>Opor-se, e revogar um consentimento:</strong> para o que se apoia em interesse legítimo,
            escreva para nós; o aviso de compartilhamento tem o próprio link para sair. Não há outro
            tratamento que dependa do seu consentimento.
          </li>
          <li>
            <strong>Pedir revisão de decisão automática</strong> (art. 20): não decidimos nada importante
            sobre você sem uma pessoa.
          </li>
        </ul>
        <p>
          Escreva para <SupportAddress /> do e-mail da sua conta. Respondemos logo, e a resposta completa
          chega em no máximo 15 dias, sem custo. Se não ficar satisfeito, você pode reclamar à ANPD, em
          gov.br/anpd.
        </p>
      </>
    ),
  },
  {
    id: 'criancas',
    title: 'Crianças e adolescentes',
    content: (
      <p>
        A Linkoteca é para quem tem pelo menos 13 anos. Se soubermos que uma criança mais nova criou uma
        conta, ela será excluída. Mães, pais e responsáveis podem nos pedir isso a qualquer momento.
      </p>
    ),
  },
  {
    id: 'mudancas',
    title: 'Mudanças nesta página',
    content: (
      <p>
        Quando esta página mudar, a data no alto muda com ela. Se a mudança tiver peso para você, avisamos
        também por e-mail, antes de valer.
      </p>
    ),
  },
];
