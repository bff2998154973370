import type { DiskSpace } from '../storage/disk-space.ts';
import { openFolderMail } from './folder.ts';
import { openSmtpMail } from './smtp.ts';
import type { MailOrigin, MailTransport } from './port.ts';

/** A folder that mails are written to, or an SMTP server by its URL. */
export type MailDestination = { kind: 'folder'; path: string } | { kind: 'smtp'; url: string };

/** The mail transport that the settings name. */
export function openMail(mail: MailDestination, origin: MailOrigin, space?: DiskSpace): MailTransport {
  return mail.kind === 'folder' ? openFolderMail(mail.path, origin, space) : openSmtpMail(mail.url, origin);
}
