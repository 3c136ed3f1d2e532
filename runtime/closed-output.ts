/**
 * Lets work go on whose output nobody reads any more, as behind `| head -1`: it ends with the exit code that is true of it,
 * without a stack trace. A build that is half done would otherwise end because of its progress.
 */
export function tolerateClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
