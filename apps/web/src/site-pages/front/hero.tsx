import { PLANS } from '@linkoteca/domain/plans';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';
import type { SiteAssets } from '../site-assets.ts';
import { ProductPicture } from './product-picture.tsx';

/** One sentence, one button, and the product itself. */
export function Hero({ assets }: { readonly assets: SiteAssets }) {
  return (
    <section className="mx-auto max-w-page px-6 pt-12 md:px-8 md:pt-20">
      <h1 className="display max-w-hero text-3xl text-ink">
        Seus links merecem uma estante, não uma gaveta.
      </h1>
      <p className="mt-5 max-w-xl text-lg text-ink-soft md:text-xl">
        A Linkoteca guarda seus links em pastas e categorias e os encontra enquanto você digita, com ou sem
        acento.
      </p>
      <div className="mt-8 flex flex-wrap items-center gap-x-5 gap-y-3">
        <a href="/signup" className={`${buttonClassName('primary', 'large')} h-12 px-6 text-lg`}>
          Criar Conta Grátis
        </a>
        <p className="text-base text-ink-faint">Grátis até {PLANS.free.maxLinks} links. Sem cartão.</p>
      </div>
      <ProductPicture assets={assets} />
    </section>
  );
}
