import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LOW_BYTES, createDiskSpace } from '../storage/disk-space.ts';
import { makeFolderNow, syncFolder, writeSynced } from '../synced-files.ts';
import { toMessage } from './message.ts';
import type { MailOrigin, MailTransport, OutgoingMail } from './port.ts';

/**
 * Stores mails as `.eml` files in a folder, for machines without a mail server. Their names sort by time and contain no
 * information. Only their owner can read them, since they contain personal links.
 */
export function openFolderMail(folder: string, origin: MailOrigin, space = createDiskSpace()): MailTransport {
  return {
    async send(mail) {
      const message = await compose(mail, origin);
      const name = `${new Date(mail.queuedAtMs).toISOString().replace(/[:.]/g, '-')}-${mail.id}.eml`;
      const file = join(folder, name);
      // Named after the mail, so that a retry overwrites a file that a crash left incomplete.
      const temporary = join(folder, `.${name}`);
      makeFolderNow(folder, 0o700);
      await space.requireFree(folder, message.byteLength, LOW_BYTES);
      try {
        await writeSynced(temporary, message, { flags: 'w' });
        await rename(temporary, file);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      await syncFolder(folder);
      return { note: file };
    },
    close: () => Promise.resolve(),
  };
}

/** Deterministic: returns the same bytes each time. */
async function compose(mail: OutgoingMail, origin: MailOrigin): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const message = new MailComposer({
    ...toMessage(mail, origin),
    // Not in base64, so that a link can be found with any pager.
    text: { raw: toPart('plain', mail.text) },
    html: { raw: toPart('html', mail.html) },
    newline: 'win',
  });
  return message.compile().build();
}

function toPart(type: 'plain' | 'html', content: string): string {
  return `Content-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${content}`;
}
