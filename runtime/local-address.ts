/** The address at which this machine reaches a service that listens on HOST. */
export function localAddress(host: string, port: number): string {
  const everywhere = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${everywhere.includes(':') ? `[${everywhere}]` : everywhere}:${port}`;
}
