export { escapeHtml, toMailHtml } from './layout.ts';
export { RETAIN_MAILS_DAYS_DEFAULT } from './outbox.ts';
export { LISTED_MAX } from './queries.ts';
export type { MailState } from './queries.ts';
export { startMailSender } from './sender.ts';
export type { MailSender } from './sender.ts';
export { queueMail, takeBackMail } from './service.ts';
export { listMails, retryFailedMails, retryMails } from './staff.ts';
export { maskEmail } from './log-fields.ts';
