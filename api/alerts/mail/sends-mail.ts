import type { Settings } from '../../../runtime/settings.ts';

/** The service sends no e-mails where one of the two is not set. */
export const sendsMail = ({ SMTP_URL, SMTP_FROM }: Pick<Settings, 'SMTP_URL' | 'SMTP_FROM'>): boolean =>
  SMTP_URL !== null && SMTP_FROM !== null;
