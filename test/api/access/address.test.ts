import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientAddress } from '../../../api/access/address.ts';
import { anyCharacter } from '../../support/characters.ts';

/** The limit by address counts these as one caller (api/access/address.ts). */

const from = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

const PROXIES = ['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48'];

test.each([
  ['nobody is trusted by himself', [], from('10.0.0.1', '198.51.100.1'), '10.0.0.1'],
  ['a stranger is not asked', PROXIES, from('203.0.113.5', '198.51.100.1'), '203.0.113.5'],
  ['a proxy tells', PROXIES, from('10.0.0.1', '198.51.100.1'), '198.51.100.1'],
  ['one that does not is meant itself', PROXIES, from('10.0.0.1'), '10.0.0.1'],
  ['one that tells nonsense, too', PROXIES, from('10.0.0.1', 'unknown'), '10.0.0.1'],
  ['proxies behind each other', PROXIES, from('10.0.0.1', '198.51.100.1, 192.0.2.7, 10.9.9.9'), '198.51.100.1'],
  ['what a caller writes himself stands before', PROXIES, from('10.0.0.1', '1.1.1.1, 198.51.100.1'), '198.51.100.1'],
  ['proxies alone', PROXIES, from('10.0.0.1', '10.0.0.2'), '10.0.0.2'],
  ['with a port', PROXIES, from('10.0.0.1', '198.51.100.1:4711'), '198.51.100.1'],
  ['an IPv6 address with a port', PROXIES, from('10.0.0.1', '[2001:db8:1:2:3::4]:4711'), '2001:db8:1:2::/64'],
  ['by an IPv6 proxy', PROXIES, from('2001:db8:ffff::1', '2001:DB8:0:0:1:2:3:4'), '2001:db8:0:0::/64'],
  ['IPv4 written as IPv6', PROXIES, from('::ffff:10.0.0.1', '::ffff:198.51.100.1'), '198.51.100.1'],
  ['with a zone', [], from('fe80::1%eth0'), 'fe80:0:0:0::/64'],
  ['loopback', [], from('::1'), '0:0:0:0::/64'],
  ['a connection that has gone', [], from(undefined), ''],
])('%s', (_, proxies, request, address) => {
  expect(clientAddress(proxies)(request)).toBe(address);
});

test('all of a /64 are one, whatever the other half and however it is written', () => {
  const addressOf = clientAddress([]);
  const group = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(
      fc.array(group, { minLength: 8, maxLength: 8 }),
      fc.array(group, { minLength: 4, maxLength: 4 }),
      (all, other) => {
        const written = (groups: readonly number[]) => groups.map((part) => part.toString(16)).join(':');
        const short = new URL(`http://[${written(all)}]`).hostname.slice(1, -1);
        const neighbour = written([...all.slice(0, 4), ...other]);
        // ::ffff:a.b.c.d is an IPv4 address.
        fc.pre(all.slice(0, 4).some((part) => part !== 0));
        expect(new Set([written(all), short, neighbour].map((text) => addressOf(from(text)))).size).toBe(1);
      },
    ),
  );
});

test('any header yields an address', () => {
  const addressOf = clientAddress(PROXIES);
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(addressOf(from('10.0.0.1', text))).toMatch(/^[0-9a-f.:/]+$/);
    }),
  );
});
