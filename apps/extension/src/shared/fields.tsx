import { type ComponentProps, type ReactNode, useId } from 'react';

const CONTROL = 'w-full rounded border border-edge bg-surface px-2.5 text-ink disabled:opacity-55';

interface FrameProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Said in place of the hint. */
  readonly fault?: string | undefined;
}

function Frame({ id, label, hint, fault, children }: FrameProps & { id: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium text-ink-soft">
        {label}
      </label>
      {children}
      {fault || hint ? (
        <p id={`${id}-note`} className={fault ? 'text-sm text-danger-text' : 'text-sm text-ink-faint'}>
          {fault ?? hint}
        </p>
      ) : null}
    </div>
  );
}

const describe = (id: string, { hint, fault }: FrameProps) => ({
  id,
  'aria-describedby': fault || hint ? `${id}-note` : undefined,
  'aria-invalid': fault ? true : undefined,
});

export function TextField({ label, hint, fault, ...props }: FrameProps & ComponentProps<'input'>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} fault={fault}>
      <input {...props} {...describe(id, { label, hint, fault })} className={`${CONTROL} h-9`} />
    </Frame>
  );
}

export function TextArea({ label, hint, fault, ...props }: FrameProps & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} fault={fault}>
      <textarea
        {...props}
        {...describe(id, { label, hint, fault })}
        className={`${CONTROL} resize-none py-1.5`}
      />
    </Frame>
  );
}

export function SelectField({ label, hint, fault, ...props }: FrameProps & ComponentProps<'select'>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} fault={fault}>
      <select {...props} {...describe(id, { label, hint, fault })} className={`${CONTROL} h-9`} />
    </Frame>
  );
}
