import type { LegalSection } from './legal-document.tsx';

/** Who may use the product, and for what. */
export const TERMS_ABOUT_USE: readonly LegalSection[] = [
  {
    id: 'aceite',
    title: 'O que você aceita',
    content: (
      <p>
        Estes termos são o acordo entre você e quem mantém a Linkoteca neste endereço. Ao criar uma conta você
        concorda com eles e com o que a página de privacidade descreve. Se não concordar, não crie a conta;
        para ler uma página pública ninguém precisa de uma.
      </p>
    ),
  },
  {
    id: 'quem-pode-usar',
    title: 'Quem pode usar',
    content: (
      <>
        <p>
          É preciso ter pelo menos 13 anos e informar um e-mail válido, que seja seu, ao criar a conta. Quem
          tem entre 13 e 18 anos usa a Linkoteca com a autorização de quem responde por sua educação.
        </p>
        <p>
          A senha é pessoal. Você responde pelo que é feito com a sua conta; se desconfiar que alguém entrou
          nela, troque a senha e nos avise. Uma conta é de uma pessoa, e não pode ser vendida nem alugada.
        </p>
      </>
    ),
  },
  {
    id: 'seu-conteudo',
    title: 'O que você guarda é seu',
    content: (
      <>
        <p>
          Seus links, textos, pastas e categorias continuam seus. Para que o produto funcione você nos permite
          guardar esse conteúdo, fazer cópias de segurança e mostrá-lo a você e a quem você escolher, e nada
          além disso. Essa permissão termina quando você apaga o conteúdo ou a conta.
        </p>
        <p>
          Não vendemos o que você guarda, não o usamos para anúncios nem para treinar sistemas de inteligência
          artificial.
        </p>
      </>
    ),
  },
  {
    id: 'compartilhamento',
    title: 'Compartilhar',
    content: (
      <>
        <p>
          Uma categoria pública pode ser lida por qualquer pessoa que tenha o endereço, com o seu nome. Uma
          categoria restrita pode ser lida por quem tiver um dos e-mails que você listar; cada pessoa recebe
          um aviso por e-mail, e pode pedir para não receber outros. Em nenhum dos casos alguém além de você
          pode alterar o que está nela.
        </p>
        <p>
          Você decide o que compartilha e pode voltar atrás a qualquer momento. O que outras pessoas já leram
          ou copiaram, porém, não temos como recolher.
        </p>
      </>
    ),
  },
  {
    id: 'conteudo-proibido',
    title: 'O que não pode ser guardado ou compartilhado',
    content: (
      <>
        <p>É proibido usar a Linkoteca para guardar ou espalhar links que levem a:</p>
        <ul>
          <li>conteúdo ilegal, ou que incite violência, discriminação ou exploração;</li>
          <li>conteúdo sexual explícito;</li>
          <li>programas maliciosos, golpes ou páginas que imitam outras para roubar dados;</li>
          <li>obras, marcas ou dados de outras pessoas, sem o direito de divulgá-los;</li>
          <li>mensagens em massa que ninguém pediu.</li>
        </ul>
        <p>
          Também não é permitido tentar entrar em contas alheias, burlar os limites dos planos ou
          sobrecarregar o serviço de propósito. Se você encontrar algo assim em uma página pública, escreva
          para nós com o endereço dela.
        </p>
      </>
    ),
  },
];
