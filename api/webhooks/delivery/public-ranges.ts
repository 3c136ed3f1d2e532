import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Decides which addresses are public: those of the internet that the IANA has given out for everybody to reach. Everything else may
 * lead into the network of this machine, or to the machine itself. ipaddr.js knows the special ranges; what it leaves out
 * stands here.
 */

/** Addresses that are public by their range, and yet are answered by the platform that the machine runs on. */
const OF_PLATFORMS_IPV4: readonly ipaddr.IPv4[] = [
  // Azure serves every virtual machine its configuration there.
  ipaddr.IPv4.parse('168.63.129.16'),
];

/** The only IPv6 addresses given out so far (RFC 4291, IANA "Internet Protocol Version 6 Address Space"). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

const WITHDRAWN_IPV6: readonly [ipaddr.IPv6, number][] = [
  // The 6bone, returned in 2006 (RFC 3701).
  ipaddr.IPv6.parseCIDR('3ffe::/16'),
];

/**
 * Networks that lead to the IPv4 address in their last 32 bits: mapped addresses, which the machine itself translates, and
 * the well-known prefix of NAT64 (RFC 6052). Those of 64:ff9b:1::/48 (RFC 8215), 6to4 and Teredo are not among them:
 * whoever runs the network decides where the first leads, and the relays of the others are gone.
 */
const LEADS_TO_IPV4: readonly [ipaddr.IPv6, number][] = [
  ipaddr.IPv6.parseCIDR('::ffff:0:0/96'),
  ipaddr.IPv6.parseCIDR('64:ff9b::/96'),
];

/** Words for the ranges whose names in ipaddr.js only programmers read. */
const WORDS: Readonly<Record<string, string>> = {
  unspecified: 'this network',
  linkLocal: 'link-local',
  carrierGradeNat: 'carrier-grade NAT',
  uniqueLocal: 'unique local',
  deprecatedSiteLocal: 'site-local',
  rfc6145: 'translated IPv4',
  rfc6052: 'NAT64 of a network of its own',
  teredo: 'Teredo',
};

/**
 * Says what an address is when it is not public.
 * @param address IPv4 in four decimal parts, or IPv6, as resolvers and URLs write them
 * @returns such as `loopback`; null for a public address
 */
export function refusalOfAddress(address: string): string | null {
  switch (isIP(address)) {
    case 4:
      return refusalOfIpv4(ipaddr.IPv4.parse(address));
    case 6:
      return refusalOfIpv6(address);
    default:
      return 'no address';
  }
}

function refusalOfIpv4(address: ipaddr.IPv4): string | null {
  if (OF_PLATFORMS_IPV4.some((one) => address.match(one, 32))) return 'of the platform';
  return wordFor(address.range());
}

function refusalOfIpv6(text: string): string | null {
  // A zone names an interface of this machine.
  if (text.includes('%')) return 'link-local';
  // URL writes the address in its short form, since ipaddr.js takes ::192.0.2.1 for ::ffff:192.0.2.1.
  const address = ipaddr.IPv6.parse(new URL(`https://[${text}]`).hostname.slice(1, -1));
  if (LEADS_TO_IPV4.some((network) => address.match(network))) {
    return refusalOfIpv4(new ipaddr.IPv4(address.toByteArray().slice(-4)));
  }
  const range = wordFor(address.range());
  if (range !== null) return range;
  if (!address.match(GLOBAL_UNICAST) || WITHDRAWN_IPV6.some((network) => address.match(network))) return 'unassigned';
  return null;
}

const wordFor = (range: string): string | null => (range === 'unicast' ? null : (WORDS[range] ?? range));
