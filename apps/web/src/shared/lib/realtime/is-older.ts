/** Whether one moment of the service comes before another. They have microseconds, which Date would lose. */
export function isOlder(one: string, other: string): boolean {
  const difference = Date.parse(one) - Date.parse(other);
  if (difference !== 0 && !Number.isNaN(difference)) return difference < 0;
  return one < other;
}
