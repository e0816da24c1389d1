/** Our own database did not answer, or not as it should. */
export class InstallationUnreachable extends Error {
  override readonly name = 'InstallationUnreachable';
}
