/** Files of `data/reference/boundaries`. The bundler publishes them beside the scripts, and an import is the file's address. */
declare module 'boundaries/*.json' {
  /** Relative to the script that imports it. */
  const address: string;
  export default address;
}
