import { Button } from '../../../shared/ui/button.tsx';
import { PasswordField } from '../../../shared/ui/fields/password-field.tsx';
import { SwitchField } from '../../../shared/ui/fields/switch-field.tsx';
import { PAGE_LIMIT_MESSAGES as words } from '../model/page-limit-messages.ts';
import type { PagePasswordDraft } from '../model/use-page-password-draft.ts';

interface PagePasswordFieldProps {
  readonly draft: PagePasswordDraft;
  /** What was typed was to be saved. */
  readonly tried: boolean;
}

/** Whether the public page asks for a password, and which. */
export function PagePasswordField({ draft, tried }: PagePasswordFieldProps) {
  return (
    <div className="flex flex-col gap-2">
      <SwitchField
        label={words.password}
        hint={words.passwordHint}
        checked={draft.isOn}
        onChange={draft.turn}
      />
      {draft.isTyping ? (
        <PasswordField
          label={words.passwordField}
          autoComplete="new-password"
          maxLength={72}
          value={draft.password}
          hint={words.passwordRule}
          error={tried && draft.isTooShort ? words.passwordRule : undefined}
          onChange={({ target }) => draft.type(target.value)}
        />
      ) : draft.isOn ? (
        <Button size="small" variant="quiet" className="self-start" onClick={() => draft.type('')}>
          {words.changePassword}
        </Button>
      ) : null}
    </div>
  );
}
