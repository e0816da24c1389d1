import { SectionHeading } from './section-heading.tsx';

const PROBLEMS = [
  {
    mark: 'Abas',
    title: 'A aba que nunca fecha',
    text: 'Quarenta abas abertas, porque uma delas é importante. Você só não lembra qual.',
  },
  {
    mark: 'Mensagens',
    title: 'O link que você mandou para si',
    text: 'Está no e-mail, no aplicativo de mensagens ou nas notas. Em um dos três. Talvez.',
  },
  {
    mark: 'Diversos',
    title: 'O favorito que virou arquivo morto',
    text: 'Salvo há anos em uma pasta chamada “Diversos”. Pesquisar de novo sai mais rápido que achar.',
  },
  {
    mark: 'Planilhas',
    title: 'A lista de cinco versões',
    text: 'Você compartilhou uma vez. Desde então cada um tem a sua, e nenhuma é a certa.',
  },
] as const;

/** What people do instead, as cards of a library's catalogue. */
export function ProblemCards() {
  return (
    <section className="below border-y border-line bg-sidebar">
      <div className="mx-auto max-w-page px-6 py-16 md:px-8 md:py-24">
        <SectionHeading title="Onde foi parar aquele link?">
          Ele existe, você tem certeza. O problema nunca foi guardar: foi achar depois.
        </SectionHeading>
        <ul className="mt-10 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {PROBLEMS.map(({ mark, title, text }) => (
            <li key={title} className="catalogue-card flex flex-col rounded border border-line bg-surface">
              <p className="border-b border-line px-5 py-2.5 font-mono text-xs text-ink-faint">{mark}</p>
              <div className="px-5 pt-4 pb-10">
                <h3 className="text-lg font-semibold text-ink">{title}</h3>
                <p className="mt-2 text-base text-ink-soft">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
