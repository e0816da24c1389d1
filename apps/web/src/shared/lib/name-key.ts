const NAMES: Readonly<Record<string, string>> = {
  mod: 'Ctrl',
  shift: 'Shift',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
};

const APPLE_NAMES: Readonly<Record<string, string>> = { ...NAMES, mod: '⌘', shift: '⇧' };

/** What stands on a key of this device: 'mod' is Ctrl here and ⌘ there. Letters and other names stay as they are. */
export function nameKey(key: string): string {
  return (isAppleDevice() ? APPLE_NAMES : NAMES)[key] ?? key;
}

/** Whether the device's keyboard has a Command key, which then stands for Ctrl in shortcuts. */
function isAppleDevice(): boolean {
  return /Mac|iPhone|iPad|iPod/.test(navigator.platform || navigator.userAgent);
}
