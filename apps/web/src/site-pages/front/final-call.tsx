import { Bookshelf } from '../../shared/ui/bookshelf.tsx';
import { buttonClassName } from '../../shared/ui/button-class-name.ts';

/** The last word, above a shelf with room for more. */
export function FinalCall() {
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
