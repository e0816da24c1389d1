import { PLAN_IDS, PLANS } from '@linkoteca/domain/plans';
import { SITE_PAGE_MARKS } from '@linkoteca/domain/sharing';
import { Bookshelf } from '../../../shared/ui/bookshelf.tsx';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { fieldControlClassName } from '../../../shared/ui/fields/field-control.ts';
import { StructuredData } from '../../drawn-document.tsx';
import { type SiteAssets, SiteDocument, SiteFoot } from '../site-document.tsx';
import { FeatureList } from './feature-list.tsx';
import { FrontBar } from './front-bar.tsx';
import { PriceCards } from './price-cards.tsx';
import { ProblemCards } from './problem-cards.tsx';
import { ProductPicture } from './product-picture.tsx';
import { Questions } from './questions.tsx';
import { UseCases } from './use-cases.tsx';

const TITLE = 'Linkoteca: a biblioteca dos seus links';
const DESCRIPTION =
  'Guarde seus links em pastas e categorias, encontre-os enquanto digita e compartilhe com todos ou com alguns. Grátis para começar.';

/** `/`: what the product is, for people who do not know it yet. */
export function FrontPage({ assets }: { readonly assets: SiteAssets }) {
  return (
    <SiteDocument
      name="front"
      title={TITLE}
      description={DESCRIPTION}
      assets={assets}
      head={
        <>
          {/* Painted as soon as the first screen is there, not before: an empty page would take the time it costs to paint one. */}
          <link rel="expect" href="#first-screen" blocking="render" />
          <StructuredData value={describeProduct(DESCRIPTION)} />
        </>
      }
    >
      <FrontBar />
      <main id="content">
        <Hero assets={assets} />
        <ProofStrip />
        <ProblemCards />
        <FeatureList />
        <UseCases />
        <PriceCards />
        <Questions />
        <FinalCall />
      </main>
      <SiteFoot current="front" />
    </SiteDocument>
  );
}

/** The last word, above a shelf with room for more. */
function FinalCall() {
  return (
    <section className="below overflow-hidden border-t border-line">
      <div className="mx-auto max-w-page px-6 pt-16 md:px-8 md:pt-24">
        <h2 className="display max-w-hero text-3xl text-ink">Comece pela aba que você tem medo de fechar.</h2>
        <p className="mt-4 max-w-xl text-lg text-ink-soft">
          Guarde um link, feche a aba e respire. Daqui a seis meses, duas palavras bastam para encontrá-lo.
        </p>
        <a href="/signup" className={`${buttonClassName('primary', 'large')} mt-8 h-12 px-6 text-lg`}>
          Comece Agora
        </a>
        <Bookshelf className="mt-14 h-32 w-auto max-w-none md:h-40" />
      </div>
    </section>
  );
}

/** The product for search engines (schema.org): what it is and what it costs, and nothing that nobody has measured. */
function describeProduct(description: string) {
  return {
    '@type': 'WebApplication',
    name: 'Linkoteca',
    url: `${SITE_PAGE_MARKS.origin}/`,
    description,
    inLanguage: 'pt-BR',
    applicationCategory: 'ProductivityApplication',
    operatingSystem: 'Web',
    offers: PLAN_IDS.map((id) => ({
      '@type': 'Offer',
      name: PLANS[id].name,
      price: (PLANS[id].monthlyPriceCents / 100).toFixed(2),
      priceCurrency: 'USD',
    })),
  };
}

/** One sentence, one button, and the product itself. */
function Hero({ assets }: { readonly assets: SiteAssets }) {
  return (
    <section id="first-screen" className="mx-auto max-w-page px-6 pt-12 md:px-8 md:pt-20">
      <h1 className="display max-w-hero text-3xl text-ink">
        Seus links merecem uma estante, não uma gaveta.
      </h1>
      <p className="mt-5 max-w-xl text-lg text-ink-soft md:text-xl">
        A Linkoteca guarda seus links em pastas e categorias e os encontra enquanto você digita, com ou sem
        acento.
      </p>
      <FirstLinkForm />
      <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-3">
        <a href="/signup" className={`${buttonClassName('secondary', 'large')} h-11`}>
          Criar Conta Grátis
        </a>
        <p className="text-base text-ink-faint">Grátis até {PLANS.free.maxLinks} links. Sem cartão.</p>
      </div>
      <ProductPicture assets={assets} />
    </section>
  );
}

/**
 * Where a visitor pastes an address that they are about to lose: a plain form, which works without script. Sign-up keeps what it
 * brings (`link`), and the dashboard opens it once there is an account. Bounded, so that no address grows too long for a proxy.
 */
function FirstLinkForm() {
  return (
    <form action="/signup" className="mt-8 max-w-xl">
      <label htmlFor="first-link" className="text-base font-medium text-ink">
        Cole seu primeiro link
      </label>
      <div className="mt-2 flex flex-wrap gap-2">
        <input
          id="first-link"
          name="link"
          type="text"
          inputMode="url"
          enterKeyHint="go"
          placeholder="https://"
          maxLength={2000}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          className={`${fieldControlClassName} h-12 min-w-60 flex-1`}
        />
        <button
          type="submit"
          className={`${buttonClassName('primary', 'large')} h-12 px-6 text-lg max-sm:w-full`}
        >
          Guardar
        </button>
      </div>
    </form>
  );
}

/** Proof instead of adjectives: what the benchmarks measure. */
function ProofStrip() {
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

/**
 * What the front page says about speed. Each figure is a bound that the benchmarks keep, not the best run: a test compares
 * it with the row of the README's table that begins with `row`.
 */
export const CLAIMS = [
  {
    most: 35,
    unit: 'ms',
    text: 'para achar um link entre 100 mil, digitando',
    row: 'quick search, user of 100,000 links',
    figure: /p95 ([\d.]+) ms/,
  },
  {
    most: 100,
    unit: 'ms',
    text: 'para abrir uma categoria com 10 mil links',
    row: 'open a category of 10,000 links, to the next paint',
    figure: /\/ (\d+) ms/,
  },
  {
    most: 50,
    unit: 'ms',
    text: 'para uma mudança chegar às outras telas abertas',
    row: 'realtime, 2,000 sockets',
    figure: /\/ (\d+) \//,
  },
] as const;
