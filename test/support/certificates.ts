import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/**
 * Certificates for servers of tests, made while they run: nothing with a private key is kept in a file, and nothing expires.
 * X.509 (RFC 5280) in DER, as little of it as TLS needs.
 */

export interface ServerCertificate {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

export interface Authority {
  readonly name: string;
  /** PEM, for those who should trust it. */
  readonly certificate: string;
  /** Issues a certificate for names and addresses, valid from yesterday until tomorrow unless told otherwise. */
  issue(hosts: readonly string[], validity?: Validity): ServerCertificate;
}

interface Validity {
  readonly from: Date;
  readonly until: Date;
}

const DAY_MS = 24 * 3600 * 1000;

const aroundNow = (): Validity => ({ from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + DAY_MS) });

/** An authority that nobody trusts yet. */
export function newAuthority(name = `Authority of a test ${Math.random()}`): Authority {
  const own = newKeys();
  return {
    name,
    certificate: certificate({ issuer: name, subject: name, signer: own.privateKey, key: own.publicKey }, [
      extension('2.5.29.19', sequence(TRUE), 'critical'),
    ]),
    issue(hosts, validity) {
      const keys = newKeys();
      const cert = certificate(
        { issuer: name, subject: 'Server of a test', signer: own.privateKey, key: keys.publicKey, validity },
        [extension('2.5.29.17', sequence(...hosts.map(alternativeName)))],
      );
      return { key: pem(keys.privateKey), cert };
    },
  };
}

/** A certificate that no authority issued. */
export function selfSigned(hosts: readonly string[]): ServerCertificate {
  const { privateKey, publicKey } = newKeys();
  const names = extension('2.5.29.17', sequence(...hosts.map(alternativeName)));
  const name = 'Signed by itself';
  const cert = certificate({ issuer: name, subject: name, signer: privateKey, key: publicKey }, [names]);
  return { key: pem(privateKey), cert };
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

interface Statement {
  readonly issuer: string;
  readonly subject: string;
  readonly signer: KeyObject;
  readonly key: KeyObject;
  readonly validity?: Validity | undefined;
}

function certificate(statement: Statement, extensions: readonly Buffer[]): string {
  const { issuer, subject, signer, key, validity = aroundNow() } = statement;
  const publicKey = key.export({ type: 'spki', format: 'der' });
  const content = sequence(
    tagged(0, der(0x02, Buffer.of(2))),
    // The serial number is positive, and different for each key.
    der(0x02, Buffer.concat([Buffer.of(1), createHash('sha256').update(publicKey).digest().subarray(0, 15)])),
    ECDSA_WITH_SHA256,
    distinguishedName(issuer),
    sequence(time(validity.from), time(validity.until)),
    distinguishedName(subject),
    publicKey,
    tagged(3, sequence(...extensions)),
  );
  const signed = sequence(
    content,
    ECDSA_WITH_SHA256,
    der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', content, signer)])),
  );
  const lines = signed
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** Encodes an element: tag, length, content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  if (length < 0x100) return Buffer.concat([Buffer.of(tag, 0x81, length), content]);
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 0xff), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts));

const tagged = (number: number, content: Buffer): Buffer => der(0xa0 + number, content);

const TRUE = der(0x01, Buffer.of(0xff));

/** Encodes an object identifier, in which numbers above 127 take several bytes of seven bits. */
function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = rest.flatMap((number) => {
    const groups = [number & 0x7f];
    for (let left = number >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return der(0x06, Buffer.of(first * 40 + second, ...bytes));
}

const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));

const distinguishedName = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(objectIdentifier('2.5.4.3'), der(0x0c, Buffer.from(commonName)))));

/** Encodes a moment as `YYMMDDhhmmssZ`; the form is for years up to 2049. */
const time = (at: Date): Buffer => der(0x17, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));

const extension = (id: string, value: Buffer, critical?: 'critical'): Buffer =>
  sequence(objectIdentifier(id), ...(critical === undefined ? [] : [TRUE]), der(0x04, value));

function alternativeName(host: string): Buffer {
  if (isIPv4(host)) return der(0x87, Buffer.from(host.split('.').map(Number)));
  if (host === '::1') return der(0x87, Buffer.of(...Array<number>(15).fill(0), 1));
  return der(0x82, Buffer.from(host));
}
