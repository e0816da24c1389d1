/** A script of its own, bundled and minified by `apps/web/inline-script.ts`, as text. */
declare module '*?script' {
  const code: string;
  export default code;
}
