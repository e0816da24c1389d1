import { Button } from '../button.tsx';

interface ErrorScreenProps {
  readonly onRetry: () => void;
  /** 'page' fills the window; 'part' fits where a part of a page failed. */
  readonly extent?: 'page' | 'part';
  /** Other words, when more is known than that something broke. */
  readonly title?: string;
  readonly description?: string;
}

/** What a person sees when a part of the product broke: calm words and a way on. */
export function ErrorScreen({ onRetry, extent = 'page', title, description }: ErrorScreenProps) {
  // The whole window: then this is what the page is about. A part stands in the page's own.
  const Frame = extent === 'page' ? 'main' : 'div';
  return (
    <Frame
      className={`grid place-items-center px-6 py-16 text-center ${extent === 'page' ? 'min-h-dvh bg-paper' : ''}`}
    >
      <div role="alert" className="flex max-w-md flex-col items-center gap-2">
        <h1 className="text-xl font-semibold tracking-tight text-ink">
          {title ?? 'Algo não saiu como esperado'}
        </h1>
        <p className="text-base text-ink-soft">
          {description ??
            'O que você salvou está guardado. Tente de novo; se continuar, recarregue a página.'}
        </p>
        <Button variant="primary" size="large" className="mt-4" onClick={onRetry}>
          Tentar de novo
        </Button>
      </div>
    </Frame>
  );
}
