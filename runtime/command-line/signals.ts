import { CommandFailed } from './exit.ts';

const EXIT_OF_SIGNAL = { SIGINT: 'sigint', SIGTERM: 'sigterm' } as const;

type Signal = keyof typeof EXIT_OF_SIGNAL;

/** Terminals and supervisors signal a whole group, whose first process may forward the signal: that is one request. */
const ONE_REQUEST_MS = 1000;

/**
 * Runs work that the first SIGINT or SIGTERM aborts, so that it ends in order. A second one, at least a second later, ends
 * the process at once.
 * @param consequence explains the interruption to the user: "nothing was changed."
 * @throws CommandFailed as the reason of the signal that the work gets
 */
export async function abortOnSignal<T>(work: (signal: AbortSignal) => Promise<T>, consequence: string): Promise<T> {
  const controller = new AbortController();
  const stopListening = () => process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  const onSignal = (name: Signal) => {
    if (controller.signal.aborted) return;
    setTimeout(stopListening, ONE_REQUEST_MS).unref();
    controller.abort(new CommandFailed(EXIT_OF_SIGNAL[name], `Stopped by ${name}: ${consequence}`));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    return await work(controller.signal);
  } finally {
    stopListening();
  }
}
