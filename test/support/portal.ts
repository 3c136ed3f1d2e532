import type { Subject } from './service.ts';

/** A page behind a link, as a browser gets it that runs no script. */
export interface PortalPage {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface PortalLink {
  readonly url: string;
  readonly token: string;
  /** @param path behind the link, such as `/messages?state=FAILED` */
  open(path?: string, init?: RequestInit): Promise<PortalPage>;
  /** Sends a form; redirects are not followed. */
  send(path: string, fields: Readonly<Record<string, string>>, headers?: Record<string, string>): Promise<PortalPage>;
}

/** Makes a link with the key of the subject, or with another. */
export async function openPortal(service: Subject, key = service.key): Promise<PortalLink> {
  const { json } = await service.send('POST', '/v1/webhooks/portal', { headers: { Authorization: `Bearer ${key}` } });
  return linkAt(json.data.url);
}

export function linkAt(url: string): PortalLink {
  const open: PortalLink['open'] = async (path = '', init = {}) => {
    const response = await fetch(url + path, { redirect: 'manual', ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return {
    url,
    token: url.replace(/^.*\//, ''),
    open,
    send: (path, fields, headers = {}) => open(path, { method: 'POST', body: new URLSearchParams(fields), headers }),
  };
}

/** The hidden field of the form on a page that sends to this address. */
export const proofOn = (page: PortalPage): string => /name="proof" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
