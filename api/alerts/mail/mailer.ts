import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../runtime/log.ts';
import { itemAt } from '../../../runtime/present.ts';
import { type Settings, today } from '../../../runtime/settings.ts';
import { UNIT_FIELDS } from '../../../sql/catalogue/unit-fields.ts';
import { addressOf } from '../../../sql/org/alerts/emails.ts';
import { claimMail, type DueMail, dueMailRow, endMail, postponeMail } from '../../../sql/org/alerts/mails.ts';
import { type Keyring, withKeyring } from '../../../sql/org/encryption.ts';
import { organisationOf, organisationRow } from '../../../sql/org/organisations.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { bookedBy } from '../../access/booked.ts';
import { onceAMinute } from '../../access/once-a-minute.ts';
import type { Unsubscriptions } from '../../access/unsubscriptions.ts';
import { event } from '../../events/event.ts';
import { type UnitRow, unitsByNumber } from '../../units/read.ts';
import type { Warehouse } from '../../warehouse/warehouse.ts';
import { MOST_NAMED, messageOf } from './message.ts';
import type { SmtpServer } from './smtp.ts';

/** Sends what alerts have found to their addresses. Several instances may do so at once: each message is claimed by one. */

export interface MailerParts {
  readonly store: OrgStore;
  readonly keyring: Keyring;
  readonly warehouse: Pick<Warehouse, 'acquire'>;
  readonly settings: Settings;
  readonly log: Logger;
  readonly unsubscriptions: Unsubscriptions;
  readonly smtp: SmtpServer;
  readonly pace?: Partial<MailPace>;
}

export interface MailPace {
  /** The pause between two looks at what is due. */
  readonly pollMs: number;
  /** The wait after each attempt that failed, seconds; after the last one the message is given up. */
  readonly delays: readonly number[];
}

const PACE: MailPace = { pollMs: 2_000, delays: [60, 300, 900, 3_600, 7_200, 14_400, 21_600] };

/** Longer than an attempt can last (smtp.ts). */
const LEASE_SECONDS = 180;

const FIELDS = UNIT_FIELDS.filter(({ name }) =>
  ['mastrNummer', 'name', 'plz', 'ort', 'bundesland', 'bruttoleistungKw'].includes(name),
);

export function startMailer(parts: MailerParts): { stop(): Promise<void> } {
  const pace = { ...PACE, ...parts.pace };
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    const isFirst = onceAMinute();
    while (!signal.aborted) {
      const wasDue = await sendNext(parts, pace).catch((error: unknown) => {
        if (isFirst('failed')) parts.log.error({ err: error }, 'e-mails of alerts cannot be sent now');
        return false;
      });
      if (!wasDue) await sleep(pace.pollMs, undefined, { signal }).catch(() => {});
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
      parts.smtp.close();
    },
  };
}

/** @returns false when nothing was due */
async function sendNext({ store, log, ...parts }: MailerParts, pace: MailPace): Promise<boolean> {
  const mail = await store.asOperator((session) => session.row(dueMailRow, claimMail(LEASE_SECONDS)));
  if (mail === null) return false;
  const facts = { organisation: mail.organisationId, email: mail.id };
  const end = (outcome: Parameters<typeof endMail>[1], code: string | null = null) =>
    store.asOperator((session) => session.run(endMail(mail, outcome, code)));
  try {
    if (mail.payloads.length > 0) await send(mail, { store, log, ...parts });
    await end(mail.payloads.length > 0 ? 'SENT' : 'NOTHING');
    log.debug(facts, 'e-mail of an alert sent');
  } catch (error) {
    const delay = isFinal(error) ? undefined : pace.delays[mail.attempts];
    // The answer of the server names the address: only its code is logged.
    const reason = { ...facts, code: codeOf(error), attempts: mail.attempts + 1 };
    if (delay === undefined) {
      log.warn(reason, 'an e-mail of an alert was given up');
      await end('GIVEN_UP', String(codeOf(error)));
    } else {
      log.info({ ...reason, retryInSeconds: delay }, 'an e-mail of an alert was not taken; it is sent again');
      await store.asOperator((session) => session.run(postponeMail(mail, delay, String(codeOf(error)))));
    }
  }
  return true;
}

async function send(mail: DueMail, parts: MailerParts): Promise<void> {
  const { keyring, settings, smtp, unsubscriptions } = parts;
  const to = withKeyring(keyring, keyring.keys(), (keys) => addressOf(mail, keys));
  const events = mail.payloads.map((payload) => event.parse(JSON.parse(payload)));
  const numbers = events.flatMap(({ data }) => data.matches.map(({ mastrNummer }) => mastrNummer));
  const link = `${settings.BASE_URL}/unsubscribe/${unsubscriptions.tokenOf(mail.id)}`;
  const { subject, text } = messageOf({
    alert: mail.alert,
    count: events.reduce((sum, { data }) => sum + data.matchCount, 0),
    numbers,
    units: await unitsOf(mail, numbers.slice(0, MOST_NAMED), parts),
    lists: events.map(({ data }) => data.resultsUrl),
    pageOf: (number) => `${settings.APP_URL}/einheiten/${number}`,
    unsubscribe: link,
  });
  const newest = itemAt(events, events.length - 1).eventId;
  // A message that a crash has sent twice has one id: mail systems show it once.
  await smtp.send({ to, subject, text, unsubscribe: link, id: `${newest}.${mail.id}` });
}

/** Reads the units from the register, where the organisation may read single ones; returns none while no version is served. */
export async function unitsOf(
  { organisationId, id }: Pick<DueMail, 'organisationId' | 'id'>,
  numbers: readonly string[],
  { store, warehouse, settings }: Pick<MailerParts, 'store' | 'warehouse' | 'settings'>,
): Promise<UnitRow[]> {
  const organisation = await store.asOperator((session) =>
    session.row(organisationRow, organisationOf(organisationId)),
  );
  if (organisation === null || !bookedBy(organisation).modules.has('analysis')) return [];
  const dataset = warehouse.acquire({ operation: 'alerts.email', request: id, trace: null });
  if (dataset === null) return [];
  try {
    return await unitsByNumber(dataset, numbers, FIELDS, today(settings));
  } finally {
    dataset.release();
  }
}

/** An answer from 500 on: the server will never take this message. */
const isFinal = (error: unknown): boolean => {
  const code = codeOf(error);
  return typeof code === 'number' && code >= 500;
};

/** The number of the answer of the server; else the code of the error, such as ECONNREFUSED. */
export function codeOf(error: unknown): number | string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if ('responseCode' in error && typeof error.responseCode === 'number') return error.responseCode;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
