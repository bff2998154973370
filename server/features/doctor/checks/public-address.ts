import { isIP } from 'node:net';
import { diagnose } from '../check.ts';
import type { Check, DoctorSettings, Finding } from '../check.ts';

/** Whether the settings are those of a site for other machines: a development server is not checked for safety. */
export function isPublic({ host, siteUrl, trustedProxyHops }: DoctorSettings): boolean {
  return (
    trustedProxyHops > 0 || !isLoopback(host) || (siteUrl !== null && !isLoopback(new URL(siteUrl).hostname))
  );
}

export const publicAddress: Check = {
  name: 'public address',
  priority: 'warning',
  stage: 'first',
  consoleText: '公開アドレスの設定を確かめてください',
  async run({ settings }) {
    if (!isPublic(settings)) return [];
    const { siteUrl, trustedProxyHops } = settings;
    const url = siteUrl === null ? null : new URL(siteUrl);
    if (url === null || isLoopback(url.hostname) || isIP(url.hostname) !== 0 || isAnywhere(url.hostname)) {
      return [MISSING];
    }
    const findings: Finding[] = [];
    if (url.protocol === 'http:') findings.push(UNENCRYPTED);
    if (url.protocol === 'https:' && trustedProxyHops === 0) findings.push(NO_PROXY);
    return findings;
  },
};

const MISSING = diagnose({
  kind: 'no-site-url',
  found: 'SITE_URL is not set to a public name, but the server is reachable from other machines.',
  meaning: 'Links in mails lead to this machine, and requests for any host name are served.',
  remedy: 'Set SITE_URL to the public address, such as https://sounds.example.',
});
const UNENCRYPTED = diagnose({
  kind: 'no-https',
  found: 'SITE_URL begins with http.',
  meaning: 'Passwords and sessions travel unencrypted.',
  remedy: 'Put a proxy with TLS in front of the server and set SITE_URL to its https address.',
});
const NO_PROXY = diagnose({
  kind: 'no-proxy-hops',
  found: 'SITE_URL begins with https, but TRUSTED_PROXY_HOPS is 0.',
  meaning:
    'This process does not speak TLS, so a proxy is in front of it, and all visitors have the address of that proxy: limits for one visitor apply to all of them.',
  remedy: 'Set TRUSTED_PROXY_HOPS to the number of proxies.',
});

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(host);
}

function isAnywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '[::]';
}
