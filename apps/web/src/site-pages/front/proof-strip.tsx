import { CLAIMS } from './claims.ts';

/** Proof instead of adjectives: what the benchmarks measure. */
export function ProofStrip() {
  return (
    <section
      aria-label="Velocidade medida"
      className="mx-auto max-w-page px-6 pt-14 pb-16 md:px-8 md:pt-16 md:pb-24"
    >
      <dl className="grid gap-x-10 gap-y-8 sm:grid-cols-3">
        {CLAIMS.map(({ most, unit, text }) => (
          <div key={text} className="flex flex-col border-l-2 border-accent pl-5">
            <dt className="order-last mt-1 text-base text-ink-soft">{text}</dt>
            <dd className="text-ink">
              <span className="text-sm text-ink-faint">menos de </span>
              <span className="display text-2xl tabular-nums">
                {most} {unit}
              </span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-8 max-w-xl text-sm text-ink-faint">
        Medido por nós em um computador modesto, de dois núcleos, que também fazia o papel de quem usa: 95 em
        cada 100 buscas e mudanças ficam abaixo disso.
      </p>
    </section>
  );
}
