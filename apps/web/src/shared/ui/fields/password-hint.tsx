import { Suspense } from 'react';
import { lazyPart } from '../../lib/browser/lazy-part.tsx';

const PasswordStrength = lazyPart(
  () => import('./password-strength.tsx'),
  (module) => module.PasswordStrength,
);

interface PasswordHintProps {
  readonly password: string;
  /** Characters. */
  readonly minimum: number;
  /** Words that a stranger knows of the person. */
  readonly about?: readonly string[];
}

/** Below a new password: how long it must be, then how good it is. */
export function PasswordHint({ password, minimum, about = [] }: PasswordHintProps) {
  // An element: a page's translation puts others in place of bare text, which then cannot be taken away.
  const least = <span>{`No mínimo ${minimum} caracteres.`}</span>;
  if ([...password].length < minimum) return least;
  return (
    <Suspense fallback={least}>
      <PasswordStrength password={password} about={about} />
    </Suspense>
  );
}
