/** What describes the functions cannot be read. `message` is one line in Portuguese that names the file and the fault. */
export class FunctionsConfigError extends Error {
  override readonly name = 'FunctionsConfigError';
}
