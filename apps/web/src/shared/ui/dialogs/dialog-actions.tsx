import type { ReactNode } from 'react';

/** The row of buttons that ends a dialog's form: at the right, or full width in thumb's reach on phones. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return (
    <div className="mt-6 flex justify-end max-md:flex-wrap gap-2 max-md:[&>*]:flex-1 max-md:[&>*]:h-11">
      {children}
    </div>
  );
}
