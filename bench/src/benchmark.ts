/** One measured figure. `goal` is what the product promises; `met` says whether this run kept it. */
export type Figure = {
  readonly name: string;
  readonly value: string;
  readonly goal?: string;
  readonly met?: boolean;
};

export type BenchmarkOptions = {
  /** A short run, to see whether something works at all: its figures prove nothing. */
  readonly isQuick: boolean;
};

/** One entry of the suite: `npm run bench -- NAME`. */
export type Benchmark = {
  readonly name: string;
  readonly run: (options: BenchmarkOptions) => Promise<readonly Figure[]>;
};
