import { describeAuthError, readAuthProblem } from './describe-auth-error.ts';

/** Words for a code that was not taken. @param wrong for one that is not right */
export function describeCodeFailure(failure: unknown, wrong: string): string {
  const problem = readAuthProblem(failure);
  if (problem === 'wrong-code') return wrong;
  if (problem === 'too-many') return 'Muitas tentativas. Espere cinco minutos e tente de novo.';
  return describeAuthError(failure, 'Não foi possível confirmar. Tente de novo.');
}
