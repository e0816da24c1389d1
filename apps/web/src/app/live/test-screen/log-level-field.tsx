import { useStoredChoice } from '../../../shared/lib/browser/use-stored-choice.ts';
import { LOG_LEVELS, type LogLevel, logLevelKey } from '../../../shared/lib/log.ts';
import { ChoiceField } from '../../../shared/ui/fields/choice-field.tsx';
import { TEST_REALTIME_MESSAGES as WORDS } from '../realtime-messages.ts';

/** The first is what holds until another one is chosen. */
const CHOICES: readonly [LogLevel, ...LogLevel[]] = ['error', ...LOG_LEVELS];

/** How much the app writes to this browser's console, from the next message on. */
export function LogLevelField() {
  const [level, setLevel] = useStoredChoice(logLevelKey, CHOICES);
  return (
    <ChoiceField
      label={WORDS.logLevel}
      value={level}
      onChange={(value) => setLevel(LOG_LEVELS.find((known) => known === value) ?? 'error')}
    >
      {LOG_LEVELS.map((each) => (
        <option key={each} value={each}>
          {WORDS.logLevels[each]}
        </option>
      ))}
    </ChoiceField>
  );
}
