import type { SiteAssets } from '../site-document.tsx';

const NARROW = '(max-width: 47.99rem)';
const WIDE = '(min-width: 48rem)';

/** The real product as `npm run screenshot` takes it: of the visitor's theme, and of the size of their screen. */
export function ProductPicture({ assets: { pictures, pictureScript } }: { readonly assets: SiteAssets }) {
  return (
    <figure className="mt-12 md:mt-14">
      <picture>
        <source
          data-theme="dark"
          media={`${NARROW} and (prefers-color-scheme: dark)`}
          srcSet={pictures.phone.dark}
          width={780}
          height={1180}
        />
        <source
          data-theme="light"
          media={`${NARROW} and (prefers-color-scheme: light)`}
          srcSet={pictures.phone.light}
          width={780}
          height={1180}
        />
        <source
          data-theme="dark"
          media={`${WIDE} and (prefers-color-scheme: dark)`}
          srcSet={pictures.desk.dark}
          width={2176}
          height={1360}
        />
        <img
          src={pictures.desk.light}
          width={2176}
          height={1360}
          // Comes after the text, and does not keep it waiting: not by its file, not until it is unpacked.
          loading="lazy"
          decoding="async"
          alt="Uma categoria aberta na Linkoteca: as pastas à esquerda, cada uma com a cor de sua lombada, e os links em cartões com título, site, descrição e data."
          className="h-auto w-full rounded-lg border border-line shadow-float"
        />
      </picture>
      <script>{pictureScript}</script>
    </figure>
  );
}
