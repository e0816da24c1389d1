import { describeRemoval, OPERATOR_MESSAGES } from '@linkoteca/domain/messages/search-messages';
import type { SearchOperator } from '@linkoteca/domain/search-question';
import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { describeProblem } from '../model/describe-problem.ts';

interface QuestionChipsProps {
  readonly operators: readonly SearchOperator[];
  /** Why one finds nothing where it is right as it is written; null where it does. */
  readonly explain?: (operator: SearchOperator) => string | null;
  /** Wraps what takes an operator out: a button, or a link to the page without it. */
  readonly renderRemoval: (operator: SearchOperator, label: string, cross: ReactNode) => ReactNode;
}

export const REMOVAL_LOOK =
  'hit-area relative grid size-6 place-items-center rounded-sm text-ink-soft hover:bg-press hover:text-ink pointer-coarse:size-11 [&_svg]:size-3.5';

/** The operators of a search: those that count as chips, and of the others what is wrong. */
export function QuestionChips({ operators, explain = () => null, renderRemoval }: QuestionChipsProps) {
  const id = useId();
  if (operators.length === 0) return null;
  const described = operators.map((operator) => ({
    operator,
    problem: describeProblem(operator, operators),
  }));
  const accepted = described.flatMap(({ operator, problem }) => (problem === null ? operator : []));
  const problems = described.flatMap(({ operator, problem }) => problem ?? explain(operator) ?? []);
  return (
    <div className="flex flex-col gap-1.5">
      {accepted.length > 0 ? (
        <>
          <span id={id} className="sr-only">
            {OPERATOR_MESSAGES.chips}
          </span>
          <ul aria-labelledby={id} className="flex flex-wrap gap-1.5">
            {accepted.map((operator) => (
              <li
                key={operator.start}
                className="inline-flex max-w-full items-center gap-0.5 rounded bg-accent-soft pr-1 pl-2 text-sm text-accent-text"
              >
                <span className="truncate py-1">{operator.text}</span>
                {renderRemoval(operator, describeRemoval(operator.text), <X aria-hidden />)}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {problems.map((problem) => (
        <p key={problem} role="status" className="text-sm break-words text-danger">
          {problem}
        </p>
      ))}
    </div>
  );
}
