import { Copy } from 'lucide-react';
import { copyLink } from '../../../shared/lib/copy-link.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { TextField } from '../../../shared/ui/text-field.tsx';

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  /** What the button says. */
  readonly action: string;
  readonly hint?: string | undefined;
}

/** Something to hand on, with the button that copies it. Focus selects it, for those who copy by hand. */
export function CopyField({ label, value, action, hint }: CopyFieldProps) {
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label={label}
          value={value}
          readOnly
          hint={hint}
          className="truncate"
          onFocus={(event) => event.currentTarget.select()}
        />
      </div>
      <Button size="large" className="mt-6" icon={<Copy aria-hidden />} onClick={() => void copyLink(value)}>
        {action}
      </Button>
    </div>
  );
}
