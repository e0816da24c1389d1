import { Menu, X } from 'lucide-react';
import { buttonClassName } from '../../../shared/ui/button-class-name.ts';
import { Logo } from '../../../shared/ui/logo.tsx';

const SECTIONS = [
  { href: '#recursos', text: 'Recursos' },
  { href: '#usos', text: 'Usos' },
  { href: '#precos', text: 'Preços' },
  { href: '#perguntas', text: 'Perguntas' },
] as const;

/** The bar of the front page; on narrow screens its sections are behind a menu, which opens without any script. */
export function FrontBar() {
  return (
    <header
      data-print="hide"
      className="sticky top-0 z-10 flex h-(--topbar-height) items-center border-b border-line bg-paper max-md:h-(--mobile-header-offset)"
    >
      <div className="mx-auto flex w-full max-w-page items-center justify-between gap-3 px-6 md:px-8">
        <a href="/" className="hit-area inline-flex rounded" aria-label="Linkoteca, página inicial">
          <Logo />
        </a>
        <nav aria-label="Seções" className="flex gap-1 max-md:hidden">
          {SECTIONS.map(({ href, text }) => (
            <a key={href} href={href} className={buttonClassName('quiet')}>
              {text}
            </a>
          ))}
        </nav>
        <div className="flex items-center gap-2">
          <a href="/login" className={buttonClassName('secondary')}>
            Acessar
          </a>
          <button
            type="button"
            popoverTarget="menu"
            aria-label="Menu"
            className="grid size-11 place-items-center rounded text-ink-soft hover:bg-hover hover:text-ink md:hidden"
          >
            <Menu aria-hidden className="menu-closed size-5" />
            <X aria-hidden className="menu-open size-5" />
          </button>
        </div>
      </div>
      <NarrowMenu />
    </header>
  );
}

function NarrowMenu() {
  return (
    <nav
      id="menu"
      popover="auto"
      aria-label="Menu"
      className="fixed inset-0 top-(--mobile-header-offset) m-0 h-auto w-full overflow-y-auto bg-paper px-6 py-4 text-ink md:hidden"
    >
      <ul>
        {SECTIONS.map(({ href, text }) => (
          <li key={href} className="border-b border-line">
            <a href={href} className="flex h-14 items-center rounded text-xl font-medium">
              {text}
            </a>
          </li>
        ))}
      </ul>
      <a href="/signup" className={`${buttonClassName('primary', 'large')} mt-6 w-full`}>
        Criar Conta Grátis
      </a>
    </nav>
  );
}
