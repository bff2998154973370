import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { DAY_MS } from '../../../../contract/values/time-units.ts';
import { diagnose } from '../check.ts';
import type { Check, Finding } from '../check.ts';

/** Programs that renew certificates do so 30 days before they expire. */
const SOON_DAYS = 14;
const WAIT_MS = 10_000;

interface Seen {
  /** Why clients reject it; undefined if they accept it. */
  readonly refusal: string | undefined;
  /** Epoch ms. */
  readonly validUntil: number;
}

export const certificate: Check = {
  name: 'TLS certificate',
  priority: 'warning',
  stage: 'quick',
  consoleText: null,
  needsNetwork: true,
  async run({ settings: { siteUrl }, clock }) {
    if (siteUrl === null || !siteUrl.startsWith('https:')) return [];
    const { hostname, port } = new URL(siteUrl);
    let seen: Seen;
    try {
      seen = await readCertificate(hostname, Number(port || 443));
    } catch (error) {
      return [toUnreachable(siteUrl, error instanceof Error ? error.message : String(error))];
    }
    const daysLeft = Math.floor((seen.validUntil - clock.now()) / DAY_MS);
    if (daysLeft < 0 || seen.refusal === 'CERT_HAS_EXPIRED') return [toExpiring(siteUrl, 'expired', seen)];
    const findings: Finding[] = seen.refusal === undefined ? [] : [toUntrusted(siteUrl, seen.refusal)];
    if (daysLeft < SOON_DAYS) findings.push(toExpiring(siteUrl, 'expires-soon', seen));
    return findings;
  },
};

/** Only the handshake; nothing is sent. An untrusted certificate is read as well. */
async function readCertificate(hostname: string, port: number): Promise<Seen> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve, reject) => {
    const servername = isIP(host) === 0 ? host : undefined;
    const socket: TLSSocket = connect({
      host,
      port,
      rejectUnauthorized: false,
      ...(servername && { servername }),
    });
    socket.setTimeout(WAIT_MS, () => socket.destroy(new Error(`no answer within ${WAIT_MS / 1_000} s`)));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate();
      const refusal = socket.authorized ? undefined : String(socket.authorizationError);
      resolve({ refusal, validUntil: Date.parse(valid_to) });
      socket.destroy();
    });
  });
}

function toUnreachable(siteUrl: string, reason: string): Finding {
  return diagnose({
    kind: 'unreachable',
    found: `${siteUrl} cannot be reached from this machine: ${reason}`,
    meaning: 'The proxy does not run, or the name does not lead here.',
    remedy:
      'Check the proxy and the DNS entry. Some networks cannot reach their own public address; ask from elsewhere.',
  });
}

function toUntrusted(siteUrl: string, reason: string): Finding {
  return diagnose({
    kind: 'untrusted',
    found: `Clients reject the certificate of ${siteUrl}: ${reason}`,
    meaning: 'Browsers show a warning in place of the site.',
    remedy: 'Configure the certificate of this name in the proxy, with its intermediate certificates.',
  });
}

function toExpiring(siteUrl: string, kind: 'expired' | 'expires-soon', { validUntil }: Seen): Finding {
  const date = new Date(validUntil).toISOString();
  return diagnose({
    kind,
    found: `The certificate of ${siteUrl} ${kind === 'expired' ? 'expired' : 'expires'} on ${date}.`,
    meaning: 'From then on browsers show a warning in place of the site.',
    remedy: 'Renew it; find out why the automatic renewal did not.',
  });
}
