import { type PasswordRating, ratePassword } from '../../lib/forms/rate-password.ts';
import { ProgressBar } from '../feedback/progress-bar.tsx';

const WORDS = {
  weak: { text: 'Senha fraca: fácil de adivinhar.', percent: 25, tone: 'danger' },
  fair: { text: 'Senha razoável. Mais algumas letras ajudam.', percent: 50, tone: 'warning' },
  good: { text: 'Senha boa.', percent: 75, tone: 'accent' },
  strong: { text: 'Senha forte.', percent: 100, tone: 'accent' },
} as const satisfies Record<PasswordRating, { text: string; percent: number; tone: string }>;

interface PasswordStrengthProps {
  readonly password: string;
  readonly about: readonly string[];
}

/** How hard a new password is to guess, while it is typed. Advice: what is accepted is the schema's affair. */
export function PasswordStrength({ password, about }: PasswordStrengthProps) {
  const { text, percent, tone } = WORDS[ratePassword(password, about)];
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar label="Força da senha" percent={percent} tone={tone} />
      <span>{text}</span>
    </div>
  );
}
