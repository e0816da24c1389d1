import { Button } from '../../../shared/ui/button.tsx';

/** Shown where links could not be loaded. */
export function LinksError({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-10 text-center">
      <p className="text-base text-ink-soft">Não conseguimos carregar os links. Verifique sua conexão.</p>
      <Button onClick={onRetry}>Tentar de novo</Button>
    </div>
  );
}
