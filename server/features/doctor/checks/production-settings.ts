import { diagnose } from '../check.ts';
import type { Check, Finding } from '../check.ts';
import { isPublic } from './public-address.ts';

/** Names that never receive mail (RFC 2606 §2, RFC 6762 §3). */
const RESERVED = /(?:^|[.@])(?:test|example|invalid|localhost|local|example\.(?:com|net|org))$/i;

export const productionSettings: Check = {
  name: 'settings for production',
  priority: 'warning',
  stage: 'first',
  consoleText: '公開には危険な設定があります',
  async run({ settings }) {
    if (!isPublic(settings)) return [];
    const findings: Finding[] = [];
    if (!settings.hasRateLimits) findings.push(NO_LIMITS);
    if (settings.mail.kind === 'folder') findings.push(NO_MAIL);
    if (RESERVED.test(settings.mailFrom.address)) findings.push(NO_SENDER);
    return findings;
  },
};

const NO_LIMITS = diagnose({
  kind: 'no-rate-limits',
  found: 'RATE_LIMITS is off.',
  meaning: 'Passwords can be guessed and the server can be overloaded by one visitor.',
  remedy: 'Remove RATE_LIMITS; off is for benchmarks only.',
});
const NO_MAIL = diagnose({
  kind: 'no-smtp',
  found: 'SMTP_URL is not set.',
  meaning: 'Mails are written to a folder: nobody can confirm an address or reset a password.',
  remedy: 'Set SMTP_URL to your mail server.',
});
const NO_SENDER = diagnose({
  kind: 'no-sender',
  found: 'MAIL_FROM is an address that does not exist.',
  meaning: 'Mail servers reject mails from it, and replies and contact messages are lost.',
  remedy: 'Set MAIL_FROM to an address of your domain, and OPERATOR_EMAIL to one that you read.',
});
