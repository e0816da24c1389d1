import type { ReactNode } from 'react';

interface FieldActionProps {
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** A quiet action at the right of a field's label. Its target is larger than its words. */
export function FieldAction({ onPress, children }: FieldActionProps) {
  return (
    <button
      type="button"
      className="-my-2.5 rounded-sm py-2.5 pointer-coarse:my-0 pointer-coarse:py-3.5 text-sm font-medium text-accent-text hover:underline"
      onClick={onPress}
    >
      {children}
    </button>
  );
}
