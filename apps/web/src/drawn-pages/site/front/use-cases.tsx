import { SectionHeading } from './section-heading.tsx';

const USES = [
  {
    spine: 'bg-(--folder-2)',
    title: 'Para a sala de aula',
    words:
      'Uma categoria por bimestre, com vídeos, mapas e provas antigas. Mando um endereço só para a turma, e o que acrescento depois já está lá.',
    role: 'Professora de ensino médio',
  },
  {
    spine: 'bg-(--folder-6)',
    title: 'Para a equipe',
    words:
      'Contratos, painéis e manuais em um lugar, abertos só para os e-mails da equipe. Quem sai da lista deixa de ver no mesmo instante.',
    role: 'Coordenador de uma equipe pequena',
  },
  {
    spine: 'bg-(--folder-8)',
    title: 'Para quem cria conteúdo',
    words:
      'Guardo cada referência no momento em que a encontro. Na hora do roteiro, duas palavras e ela volta, com a anotação que deixei.',
    role: 'Roteirista de vídeos',
  },
  {
    spine: 'bg-(--folder-5)',
    title: 'Para quem usa inteligência artificial',
    words:
      'Uma pasta para ferramentas, outra para os pedidos que deram certo. Quando aparece a quinquagésima novidade da semana, sei onde ela fica.',
    role: 'Analista que testa ferramentas de IA',
  },
] as const;

/** Whom it is for, each in the words that such a person would use. They are nobody's, and say so. */
export function UseCases() {
  return (
    <section id="usos" className="below border-y border-line bg-sidebar">
      <div className="mx-auto max-w-page px-6 py-16 md:px-8 md:py-24">
        <SectionHeading title="Cabe na sua rotina">
          Quatro usos típicos, nas palavras de quem vive cada papel. Fomos nós que as escrevemos: depoimento
          com nome e sobrenome, só quando for de verdade.
        </SectionHeading>
        <ul className="mt-10 grid gap-4 md:grid-cols-2">
          {USES.map(({ spine, title, words, role }) => (
            <li
              key={title}
              className="flex gap-5 overflow-hidden rounded-lg border border-line bg-surface py-6 pr-6"
            >
              <span aria-hidden="true" className={`-my-6 w-2 shrink-0 ${spine}`} />
              <figure className="flex flex-col">
                <h3 className="text-sm font-semibold text-ink-faint">{title}</h3>
                <blockquote className="mt-3 text-lg text-ink">“{words}”</blockquote>
                <figcaption className="mt-auto pt-4 text-base text-ink-soft">{role}</figcaption>
              </figure>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
