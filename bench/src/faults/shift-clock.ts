import { readFileSync } from 'node:fs';

// Loaded into the server before its own code (`--import`). SIGUSR2 sets the clock: as many milliseconds off as the file says.
const RealDate = Date;
let offset = 0;

class ShiftedDate extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(RealDate.now() + offset);
    else super(...(given as [number]));
  }
  static override now(): number {
    return RealDate.now() + offset;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
process.on('SIGUSR2', () => {
  offset = Number(readFileSync(process.env['CLOCK_FILE'] ?? '', 'utf8'));
});
