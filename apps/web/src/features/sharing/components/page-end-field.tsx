import { ChoiceField } from '../../../shared/ui/fields/choice-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { PAGE_END_DAYS, type PageEndChoice, toDay } from '../model/page-end.ts';
import { describePageEnd, PAGE_LIMIT_MESSAGES as words } from '../model/page-limit-messages.ts';
import type { PageEndDraft } from '../model/use-page-end-draft.ts';

const CHOICES: readonly PageEndChoice[] = ['kept', 'never', ...PAGE_END_DAYS, 'day'];

/** Until when the page is public. */
export function PageEndField({ draft }: { readonly draft: PageEndDraft }) {
  const { storedEnd, choice, day } = draft;
  const now = new Date();
  return (
    <div className="flex flex-col gap-2">
      <div className="grid grid-cols-2 gap-3">
        <ChoiceField
          label={words.end}
          value={choice}
          onChange={(value) => draft.choose(CHOICES.find((each) => each === value) ?? 'kept')}
        >
          {storedEnd === null ? null : <option value="kept">{describePageEnd(storedEnd, now)}</option>}
          <option value="never">{words.never}</option>
          {PAGE_END_DAYS.map((days) => (
            <option key={days} value={days}>
              {words.days[days]}
            </option>
          ))}
          <option value="day">{words.day}</option>
        </ChoiceField>
        {choice === 'day' ? (
          <TextField
            type="date"
            label={words.dayField}
            value={day}
            min={toDay(now)}
            error={draft.isWrong ? words.wrongDay : undefined}
            onChange={({ target }) => draft.setDay(target.value)}
          />
        ) : null}
      </div>
      {choice === 'never' ? null : <p className="text-sm text-ink-soft">{words.endHint}</p>}
    </div>
  );
}
