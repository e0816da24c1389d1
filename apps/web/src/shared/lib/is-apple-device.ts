/** Whether the device's keyboard has a Command key, which then stands for Ctrl in shortcuts. */
export function isAppleDevice(): boolean {
  return /Mac|iPhone|iPad|iPod/.test(navigator.platform || navigator.userAgent);
}
