/**
 * Runs a task as soon as the frame that is being prepared has been painted: what the press itself shows comes first, the
 * long work it starts second. On a hidden page, which paints nothing, at once.
 */
export function afterPaint(task: () => void): void {
  if (document.hidden) task();
  else requestAnimationFrame(() => setTimeout(task));
}
