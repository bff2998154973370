import type { Settings } from '../../settings.ts';
import type { DiskRoom } from '../storage/storage.ts';
import { openFolderMail } from './folder.ts';
import { openSmtpMail } from './smtp.ts';
import type { MailOrigin, MailTransport } from './port.ts';

/** The mail transport that the settings name. */
export function openMail(mail: Settings['mail'], origin: MailOrigin, room?: DiskRoom): MailTransport {
  return mail.kind === 'folder' ? openFolderMail(mail.path, origin, room) : openSmtpMail(mail.url, origin);
}
