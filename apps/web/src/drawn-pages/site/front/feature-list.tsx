import { FolderTree, Keyboard, MoonStar, RefreshCw, Search, Share2, Smartphone, Undo2 } from 'lucide-react';
import { SectionHeading } from './section-heading.tsx';

const FEATURES = [
  {
    Icon: Search,
    title: 'Busca que entende você',
    text: 'Digite “acao” e encontre “Ação”: no título, no endereço ou na descrição, a cada letra.',
  },
  {
    Icon: FolderTree,
    title: 'Cada coisa em seu lugar',
    text: 'Pastas com cor de lombada e categorias dentro delas, para reconhecer de relance.',
  },
  {
    Icon: Share2,
    title: 'Compartilhe com todos ou com alguns',
    text: 'Uma página pública com endereço próprio, ou só para os e-mails que você escolher. Deixar de compartilhar vale na hora.',
  },
  {
    Icon: Undo2,
    title: 'Nada se perde',
    text: 'Apagou? Desfaça com uma tecla. A página recarregou ou travou? O rascunho espera por você.',
  },
  {
    Icon: RefreshCw,
    title: 'Igual em todas as telas',
    text: 'O que muda no telefone aparece no computador na mesma hora, sem recarregar.',
  },
  {
    Icon: Smartphone,
    title: 'Instale, e abra sem internet',
    text: 'Fica no telefone e no computador como um aplicativo. O que você viu por último abre mesmo sem rede.',
  },
  {
    Icon: Keyboard,
    title: 'Do teclado ou do polegar',
    text: 'O que você faz todo dia tem uma tecla no computador e um lugar ao alcance do polegar no telefone.',
  },
  {
    Icon: MoonStar,
    title: 'Claro como papel, escuro como tinta',
    text: 'Dois temas com o mesmo cuidado. Segue o seu sistema ou a sua vontade.',
  },
] as const;

/** What the product does. Everything named here is built. */
export function FeatureList() {
  return (
    <section id="recursos" className="below mx-auto max-w-page px-6 py-16 md:px-8 md:py-24">
      <SectionHeading title="Uma biblioteca, com bibliotecária">
        Você guarda do seu jeito. Ela lembra onde está, avisa quem precisa saber e não deixa nada sumir.
      </SectionHeading>
      <ul className="mt-10 grid gap-x-10 gap-y-9 sm:grid-cols-2 lg:grid-cols-4">
        {FEATURES.map(({ Icon, title, text }) => (
          <li key={title}>
            <Icon aria-hidden className="size-6 text-accent-text" strokeWidth={1.75} />
            <h3 className="mt-3 text-lg font-semibold text-ink">{title}</h3>
            <p className="mt-1.5 text-base text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
