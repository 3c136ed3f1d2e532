import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { clickhouseFault } from './clickhouse-address.ts';

/** Schemas of the settings. Each takes the text of a variable; its message completes "PORT …". */

export const wholeNumberSetting = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max));

export const shareSetting = z
  .string()
  .regex(/^[0-9]+(\.[0-9]+)?$/, 'must be a share such as 0.05')
  .transform(Number)
  .pipe(z.number().min(0).max(100));

/** The path of a folder, which need not exist yet. */
export const folder = z
  .string()
  .min(1)
  .transform((path) => resolve(path));

export const address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((url) => url.replace(/\/+$/, ''));

export const mailServer = z.string().refine((text) => {
  const url = URL.parse(text);
  return (
    url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && /^\/?$/.test(url.pathname + url.search)
  );
}, 'must be smtp://host:port or smtps://user:password@host:port');

/** An IPv6 address stands in brackets inside a URL. */
export const hostInAddress = (host: string): string => (host.includes(':') ? `[${host}]` : host);

export const origins = z.string().transform((text, context) => {
  const list = text.split(',').map((origin) => origin.trim());
  const wrong = list.find((origin) => origin !== '*' && !(URL.canParse(origin) && new URL(origin).origin === origin));
  if (wrong === undefined) return list;
  context.issues.push({ code: 'custom', message: 'must list origins such as https://app.example.org', input: text });
  return z.NEVER;
});

export const warehouse = z.string().superRefine((text, context) => {
  const fault = /^duckdb:.+$/.test(text) ? null : clickhouseFault(text);
  if (fault !== null) context.addIssue({ code: 'custom', message: fault });
});

export const networks = z.string().transform((text, context) => {
  const list = text.split(',').map((network) => network.trim());
  const wrong = list.find((network) => {
    const [address = '', bits, ...more] = network.split('/');
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    return (
      version === 0 || more.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most))
    );
  });
  if (wrong === undefined) return list;
  context.issues.push({ code: 'custom', message: 'must list addresses or networks such as 10.0.0.0/8', input: text });
  return z.NEVER;
});

/** A host that webhooks may call wherever it leads. */
export interface AllowedHost {
  /** The host as URLs have it, in lower case; IPv6 without brackets. */
  readonly host: string;
  /** Null = any port. */
  readonly port: number | null;
}

export const allowedHosts = z.string().transform((text, context): readonly AllowedHost[] => {
  const list = text.split(',').map((item) => allowedHost(item.trim()));
  if (list.every((item) => item !== null)) return list;
  const message = 'must list hosts such as hooks.example.org, 10.1.2.3:8443 or [fd00::1]:8443';
  context.issues.push({ code: 'custom', message, input: text });
  return z.NEVER;
});

function allowedHost(item: string): AllowedHost | null {
  const [, host = '', port] = /^([^:[]+|\[.+\])(?::(\d{1,5}))?$/.exec(isIP(item) === 6 ? `[${item}]` : item) ?? [];
  // Names may have dots at their end, and capitals: an endpoint's URL is compared in its normal form.
  const url = URL.parse(`https://${host}`);
  if (url === null || url.href !== `https://${url.hostname}/` || !/^[\w.:[\]-]+$/.test(url.hostname)) return null;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return null;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, ''),
    port: port === undefined ? null : Number(port),
  };
}

export const calendarDaySetting = z.iso.date({ error: 'must be a calendar day YYYY-MM-DD' });

/** Such names need no quotes in a statement. */
export const CLICKHOUSE_NAME = /^[A-Za-z0-9_-]+$/;

/** A shorter secret could be guessed. */
export const SIGNING_KEY_LENGTH = 32;

/** 32 bytes, as `openssl rand -base64 32` writes them. */
export const ENCRYPTION_KEY = /^[A-Za-z0-9+/]{43}=$/;

export const encryptionKeys = z.string().transform((text, context): readonly string[] => {
  const list = text.split(',').map((key) => key.trim());
  if (list.every((key) => ENCRYPTION_KEY.test(key))) return list;
  const message = 'must list keys of 32 bytes in base64, as `openssl rand -base64 32` makes one';
  context.issues.push({ code: 'custom', message, input: text });
  return z.NEVER;
});
