export { openMail } from './open.ts';
export { UnsendableMail, canBeRepliedTo } from './port.ts';
export type { Mail, MailTransport } from './port.ts';
