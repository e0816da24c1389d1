import { PROVIDER_MESSAGES } from '@linkoteca/domain/messages/provider-messages';
import { SIGN_IN_PROVIDERS } from '../../../shared/sign-in/sign-in-providers.tsx';
import { type LegalSection, SupportAddress } from './legal-document.tsx';

/** What the app keeps in the browser, by its names there. */
const STORED = {
  session: 'sb-…-auth-token',
  sidebar: 'linkoteca-sidebar',
  theme: 'linkoteca-theme',
  singleKeys: 'linkoteca-single-keys',
  logLevel: 'linkoteca-log-level',
  drafts: 'linkoteca-draft-…',
  lastSeen: 'linkoteca-last-seen',
} as const;

/** Who is responsible, which data there are, and on what grounds. */
export const PRIVACY_ABOUT_DATA: readonly LegalSection[] = [
  {
    id: 'responsavel',
    title: 'Quem responde pelos seus dados',
    content: (
      <p>
        Quem mantém a Linkoteca neste endereço é o controlador dos seus dados pessoais, no sentido da Lei
        Geral de Proteção de Dados (LGPD, Lei nº 13.709/2018). O encarregado pelo tratamento atende em{' '}
        <SupportAddress />.
      </p>
    ),
  },
  {
    id: 'dados-da-conta',
    title: 'Dados da conta',
    content: (
      <>
        <p>
          <strong>Guardamos:</strong> o seu e-mail, que é obrigatório; o seu nome, se você informar; um resumo
          criptográfico da senha, do qual ela não pode ser recuperada; e os códigos que mantêm você conectado
          em cada aparelho. {PROVIDER_MESSAGES.received(SIGN_IN_PROVIDERS)}
        </p>
        <p>
          <strong>Para quê:</strong> saber que você é você, recuperar o acesso e enviar os avisos de que a
          conta precisa. <strong>Base legal:</strong> execução do contrato (art. 7º, V).
        </p>
      </>
    ),
  },
  {
    id: 'seu-conteudo',
    title: 'O que você guarda',
    content: (
      <>
        <p>
          <strong>Guardamos:</strong> os seus links (endereço, título e descrição), as suas pastas e
          categorias, e os e-mails que você incluir em um compartilhamento restrito.
        </p>
        <p>
          <strong>Para quê:</strong> mostrar, buscar e compartilhar o que você pediu. Ninguém lê o seu
          conteúdo por curiosidade: o acesso de quem administra é limitado ao necessário para atender você ou
          apurar abusos, e cada consulta fica registrada. <strong>Base legal:</strong> execução do contrato
          (art. 7º, V).
        </p>
        <p>
          Ao incluir o e-mail de outra pessoa você declara que pode fazer isso. Nós o usamos para avisá-la do
          compartilhamento e para lhe abrir a categoria, no nosso interesse legítimo e no seu (art. 7º, IX);
          em cada aviso há como não receber outros.
        </p>
      </>
    ),
  },
  {
    id: 'assinatura',
    title: 'Dados de assinatura',
    content: (
      <p>
        Se você assina um plano pago, guardamos o plano, a situação e as datas da assinatura e o código que a
        identifica na Stripe. O cartão fica só com ela. <strong>Para quê:</strong> dar acesso ao que foi pago,
        emitir recibos e cumprir obrigações fiscais. <strong>Bases legais:</strong> execução do contrato (art.
        7º, V) e obrigação legal (art. 7º, II).
      </p>
    ),
  },
  {
    id: 'registros',
    title: 'Registros de segurança',
    content: (
      <p>
        A cada entrada na conta guardamos a data, o endereço IP e o nome do navegador, para lhe mostrar os
        seus aparelhos, reconhecer acessos estranhos e conter abusos. O Marco Civil da Internet (Lei nº
        12.965/2014, art. 15) manda manter registros de acesso por seis meses. <strong>Bases legais:</strong>{' '}
        obrigação legal (art. 7º, II) e interesse legítimo na segurança de todos (art. 7º, IX).
      </p>
    ),
  },
  {
    id: 'no-aparelho',
    title: 'Cookies e o que fica no seu aparelho',
    content: (
      <>
        <p>
          Usamos apenas o que o produto precisa para funcionar. Nada disso segue você, e por isso não há
          pedido de consentimento: não existe o que recusar.
        </p>
        <ul>
          <li>
            <strong>Sessão</strong> (armazenamento local, <code>{STORED.session}</code>): mantém você
            conectado. Some quando você sai.
          </li>
          <li>
            <strong>Barra lateral</strong> (cookie <code>{STORED.sidebar}</code>, 7 dias): lembra se ela
            estava recolhida.
          </li>
          <li>
            <strong>Preferências</strong> (armazenamento local, <code>{STORED.theme}</code>,{' '}
            <code>{STORED.singleKeys}</code>,<code>{STORED.logLevel}</code> e outras do mesmo começo): tema,
            atalhos, última categoria usada e nível de registro.
          </li>
          <li>
            <strong>Rascunhos</strong> (armazenamento local, <code>{STORED.drafts}</code>): o que você digitou
            e ainda não salvou.
          </li>
          <li>
            <strong>Última leitura</strong> (banco de dados do navegador, <code>{STORED.lastSeen}</code>): o
            que você viu por último, para abrir sem internet. Some quando você sai.
          </li>
          <li>
            <strong>O aplicativo</strong> (cache do navegador): as telas, sem dado pessoal algum.
          </li>
        </ul>
      </>
    ),
  },
];
