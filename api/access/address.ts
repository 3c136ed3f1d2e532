import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * Finds out the network that a request comes from, by which limits count: an IPv4 address, or the first 64 bits of an IPv6
 * one, since whoever has one address there has them all. Behind a proxy `X-Forwarded-For` names it, read from its end: each
 * proxy appends the address that called it, and anybody may have written what precedes the first address that is not a
 * proxy of ours.
 * @param proxies addresses and networks (CIDR) that are trusted
 */
export function clientAddress(proxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    if (bits === undefined) trusted.addAddress(address, family(address));
    else trusted.addSubnet(address, Number(bits), family(address));
  }
  return (request) => {
    let address = plain(request.socket.remoteAddress ?? '');
    const forwarded = proxies.length === 0 ? [] : String(request.headers['x-forwarded-for'] ?? '').split(',');
    while (isIP(address) !== 0 && trusted.check(address, family(address))) {
      const before = plain(forwarded.pop()?.trim() ?? '');
      if (isIP(before) === 0) break;
      address = before;
    }
    return networkOf(address);
  };
}

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** Removes port, brackets and zone; an IPv4 address that is written as an IPv6 one becomes itself. */
function plain(text: string): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  const [address = ''] = bare.split('%');
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  // A URL has the one short form of an address: without leading zeros, the longest run of zeros as `::`.
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: right === undefined ? 0 : 8 - head.length - tail.length }, () => '0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}
