import type { LegalSection } from './legal-document.tsx';

/** Who else handles data, where, how they are protected, and for how long. */
export const PRIVACY_ABOUT_OTHERS: readonly LegalSection[] = [
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
            <strong>Stripe</strong> (pagamentos): recebe o seu e-mail e os dados do cartão, se você assinar.
          </li>
          <li>
            <strong>Google:</strong> confirma quem você é, se escolher entrar com ele; a sua foto, então, vem
            dos servidores dele.
          </li>
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
          pode desistir entrando de novo. O que você apaga dentro da conta some logo depois do tempo de
          desfazer.
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
