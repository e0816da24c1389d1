import { useEffect, useId, useState } from 'react';
import { askToSeeTabs, maySeeTabs } from '../shared/permissions.ts';
import { setKeptPagesMarked, wantsKeptPagesMarked } from '../shared/preferences.ts';
import { translate } from '../shared/translate.ts';

/** Whether the button marks pages that the library has. Off until it is wanted: it needs to see the tabs. */
export function KeptPagesSwitch() {
  const id = useId();
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    // The browser's own settings may have taken the permission back.
    void Promise.all([wantsKeptPagesMarked(), maySeeTabs()]).then(([wanted, may]) => setOn(wanted && may));
  }, []);
  const change = async (wanted: boolean) => {
    setOn(wanted);
    const given = wanted ? await askToSeeTabs() : false;
    setOn(given);
    await setKeptPagesMarked(given);
  };
  return (
    <section className="flex gap-3 rounded-lg border border-line bg-surface p-4">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        aria-describedby={`${id}-why`}
        onChange={(event) => void change(event.target.checked)}
        className="mt-0.5 size-4 accent-accent"
      />
      <div>
        <label htmlFor={id} className="font-medium">
          {translate('markKept')}
        </label>
        <p id={`${id}-why`} className="mt-0.5 text-sm text-ink-soft">
          {translate('markKeptWhy')}
        </p>
      </div>
    </section>
  );
}
