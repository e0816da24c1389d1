/**
 * What the front page says about speed. Each figure is a bound that the benchmarks keep, not the best run: a test compares
 * it with the row of the README's table that begins with `row`.
 */
export const CLAIMS = [
  {
    most: 35,
    unit: 'ms',
    text: 'para achar um link entre 100 mil, digitando',
    row: 'quick search, user of 100,000 links',
    figure: /p95 ([\d.]+) ms/,
  },
  {
    most: 100,
    unit: 'ms',
    text: 'para abrir uma categoria com 10 mil links',
    row: 'open a category of 10,000 links, to the next paint',
    figure: /\/ (\d+) ms/,
  },
  {
    most: 50,
    unit: 'ms',
    text: 'para uma mudança chegar às outras telas abertas',
    row: 'realtime, 2,000 sockets',
    figure: /\/ (\d+) \//,
  },
] as const;
