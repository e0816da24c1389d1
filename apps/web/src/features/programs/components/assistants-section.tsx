import { Copy } from 'lucide-react';
import { useId } from 'react';
import { copyLink } from '../../../shared/lib/browser/copy-link.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { ASSISTANT_MESSAGES as TEXT } from '../model/program-messages.ts';

/** The addresses for assistants: which one a person pastes says what it will ask for. */
export function AssistantsSection() {
  return (
    <section aria-labelledby="assistants" className="flex flex-col gap-3">
      <div>
        <h2 id="assistants" className="text-lg font-semibold text-ink">
          {TEXT.title}
        </h2>
        <p className="mt-1 text-base text-ink-soft">{TEXT.lead}</p>
      </div>
      <ul className="border-t border-line">
        <AddressRow path="/mcp" what={TEXT.reads} />
        <AddressRow path="/mcp/write" what={TEXT.writes} />
        <AddressRow path="/mcp/share" what={TEXT.shares} />
      </ul>
    </section>
  );
}

function AddressRow({ path, what }: { readonly path: string; readonly what: string }) {
  const whatId = useId();
  const address = `${window.location.origin}${path}`;
  return (
    <li className="flex items-center gap-3 border-b border-line py-3">
      <div className="min-w-0 flex-1">
        <p id={whatId} className="text-base text-ink">
          {what}
        </p>
        <code className="text-sm break-all text-ink-soft select-all">{address}</code>
      </div>
      <IconButton label={TEXT.copy} aria-describedby={whatId} onClick={() => void copyLink(address)}>
        <Copy aria-hidden />
      </IconButton>
    </li>
  );
}
