import { Resolver as Dns, lookup } from 'node:dns/promises';

/** Finds the addresses of a host. @throws Error when there are none, and when the signal ends the search */
export type Resolver = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** The resolver asks each name server twice, and waits two seconds each time. */
const QUESTION = { timeout: 2000, tries: 2 };

/**
 * Asks name servers, and them alone: entries of /etc/hosts and search domains are for the network of this machine. The question
 * needs no thread of the pool, so a name server that is silent holds up nothing else; `dns.lookup` would take one of four.
 * @param servers such as `192.0.2.53:53`; default: those that the machine is set up with
 */
export const publicResolver =
  (servers?: readonly string[]): Resolver =>
  async (host, signal) => {
    signal.throwIfAborted();
    const dns = new Dns(QUESTION);
    if (servers !== undefined) dns.setServers(servers);
    const cancel = () => dns.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answers = await Promise.allSettled([dns.resolve6(host), dns.resolve4(host)]);
      signal.throwIfAborted();
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      throw answers.find((answer) => answer.status === 'rejected')?.reason ?? new Error(`${host} has no addresses`);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };

/** Asks as every program of this machine does, with /etc/hosts and search domains: for hosts that the operator allows. */
export const resolveLocally: Resolver = async (host, signal) => {
  signal.throwIfAborted();
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  try {
    const answers = await Promise.race([lookup(host, { all: true }), ended.promise]);
    return answers.map(({ address }) => address);
  } finally {
    signal.removeEventListener('abort', end);
  }
};
