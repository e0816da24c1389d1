import type { SiteAssets } from '../site-assets.ts';
import { SiteDocument } from '../site-document.tsx';
import { SiteFoot } from '../site-foot.tsx';
import { describeProduct } from './describe-product.ts';
import { FeatureList } from './feature-list.tsx';
import { FinalCall } from './final-call.tsx';
import { FrontBar } from './front-bar.tsx';
import { Hero } from './hero.tsx';
import { PriceCards } from './price-cards.tsx';
import { ProblemCards } from './problem-cards.tsx';
import { ProofStrip } from './proof-strip.tsx';
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
      head={<script type="application/ld+json">{describeProduct(DESCRIPTION)}</script>}
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
