import { PROVIDER_MESSAGES } from '@linkoteca/domain/messages/provider-messages';
import { SIGN_IN_PROVIDERS } from '../../../shared/sign-in/sign-in-providers.tsx';
import type { SiteAssets } from '../site-document.tsx';
import { LegalDocument, type LegalSection, SupportAddress } from './legal-document.tsx';
import { PRIVACY_ABOUT_DATA } from './privacy-about-data.tsx';

const SUMMARY = [
  'Guardamos o que é preciso para o produto funcionar, e nada para vender.',
  'Não há anúncios, nem programas que sigam você por outros sites.',
  'Só você vê os seus links, até que os compartilhe.',
  'Você pode baixar tudo e apagar tudo, sozinho, na página do seu perfil.',
];

/** `/privacy-policy`: what is kept, why, who else sees it, and what people may ask for (LGPD, Lei 13.709/2018). */
export function PrivacyPage({ assets }: { readonly assets: SiteAssets }) {
  return (
    <LegalDocument
      name="privacy-policy"
      title="Política de privacidade"
      description="Quais dados a Linkoteca guarda, para quê, por quanto tempo, quem mais os vê e como usar os seus direitos da LGPD."
      summary={SUMMARY}
      sections={[...PRIVACY_ABOUT_DATA, ...PRIVACY_ABOUT_OTHERS, ...PRIVACY_ABOUT_RIGHTS]}
      assets={assets}
    />
  );
}

/** What people may ask for (LGPD, art. 18), and how. */
const PRIVACY_ABOUT_RIGHTS: readonly LegalSection[] = [
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

/** Who else handles data, where, how they are protected, and for how long. */
const PRIVACY_ABOUT_OTHERS: readonly LegalSection[] = [
  {
    id: 'quem-mais',
    title: 'Quem mais trata os seus dados',
    content: (
      <>
        <p>Não vendemos nem alugamos dados. Contamos com estes operadores, cada um só para a sua tarefa:</p>
        <ul>
          <li>
            <strong>Hospedagem:</strong> os computadores em que o serviço e as cópias de segurança ficam.
          </li>
          <li>
            <strong>Envio de e-mails:</strong> recebe o endereço e o texto de cada aviso.
          </li>
          <li>
            <strong>Recebimento de e-mails</strong> (se você criar um endereço para salvar por e-mail): recebe
            o que é enviado a ele. Guardamos os links e, do que for recusado, o remetente e o assunto, por 30
            dias.
          </li>
          <li>
            <strong>Stripe</strong> (pagamentos): recebe o seu e-mail e os dados do cartão, se você assinar.
          </li>
          {SIGN_IN_PROVIDERS.map((provider) => (
            <li key={provider.name}>
              <strong>{provider.label}:</strong> {PROVIDER_MESSAGES.confirmsWho(provider)}
            </li>
          ))}
          <li>
            <strong>Verificação contra robôs</strong> (hCaptcha ou Cloudflare Turnstile, quando está ligada):
            examina o navegador ao criar a conta e ao entrar.
          </li>
        </ul>
        <p>
          Há dois casos em que o próprio uso fala com outros sites. O seu navegador pede o ícone de cada site
          guardado a serviços públicos (Google, DuckDuckGo, Icon Horse e Yandex), que ficam sabendo o domínio,
          nunca o endereço inteiro nem quem você é na Linkoteca; endereços internos não são enviados. E, ao
          adicionar um link, o nosso servidor visita a página para sugerir o título, sem dizer quem pediu.
        </p>
        <p>
          Autoridades recebem dados apenas com ordem judicial ou quando a lei obriga; se ela permitir, você
          será avisado.
        </p>
      </>
    ),
  },
  {
    id: 'fora-do-brasil',
    title: 'Dados fora do Brasil',
    content: (
      <p>
        Parte desses operadores trabalha em outros países, entre eles os Estados Unidos. A transferência se
        apoia no contrato com você e nas cláusulas de proteção que exigimos deles (LGPD, art. 33, II e IX).
      </p>
    ),
  },
  {
    id: 'seguranca',
    title: 'Como protegemos',
    content: (
      <p>
        As conexões são cifradas, as senhas passam pelo Argon2, e é o próprio banco de dados que confere, a
        cada leitura, se a linha é de quem pergunta. Se um incidente puder causar risco ou dano relevante a
        você, avisaremos você e a Autoridade Nacional de Proteção de Dados (ANPD), como manda o art. 48.
      </p>
    ),
  },
  {
    id: 'por-quanto-tempo',
    title: 'Por quanto tempo',
    content: (
      <>
        <p>
          Os seus dados ficam guardados até você excluir a conta. Depois disso são apagados em até 30 dias,
          com todos os links, pastas, categorias e arquivos; enquanto esse prazo corre, ninguém os vê, e você
          pode desistir entrando de novo. O que você apaga dentro da conta fica 30 dias na Lixeira, que só
          você vê e pode esvaziar quando quiser; depois disso é apagado de vez.
        </p>
        <p>
          Ficam por mais tempo somente os registros que a lei manda manter: os de acesso, por seis meses, e os
          de pagamento, pelo prazo fiscal, com a Stripe. Uma conta em que ninguém entra por 12 meses é
          suspensa, depois de dois avisos por e-mail; nada é apagado por causa disso.
        </p>
      </>
    ),
  },
];
