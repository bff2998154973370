export { openMail } from './open.ts';
export { UnsendableMail, canBeRepliedTo } from './port.ts';
export type { Mail, MailOrigin, MailTransport } from './port.ts';
