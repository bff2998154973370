import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

export interface HostOptions {
  /** The address people use. */
  readonly siteUrl: string;
  /** What the server listens on. */
  readonly listensOn: string;
  readonly trustedProxyHops: number;
}

/** Whether to serve a request, to redirect it to `siteUrl` if it is for a page, or to answer 421 (RFC 9110 §15.5.20). */
export type HostVerdict = 'serve' | 'redirect' | 'refuse';

/** Names that no public DNS server answers for, so that no website can have them lead here (RFC 6761, 6762, 8375). */
const PRIVATE_NAME = /^(?:[\w-]+|[\w.-]+\.(?:localhost|local|internal|lan|home\.arpa))$/;
const LOOPBACK = /^(?:127\.[\d.]+|::1|localhost)$/;

/**
 * Judges requests by their Host, against DNS rebinding: a website whose name leads to this machine could otherwise
 * read and change what it serves, in a visitor's browser. Behind a proxy, the proxy decides which names lead
 * here, and may send one of its own. Without a public name in `siteUrl`, a server that listens on the
 * network is used by names that it cannot know, and one on loopback only by private ones.
 */
export function createHostCheck({
  siteUrl,
  listensOn,
  trustedProxyHops,
}: HostOptions): (req: IncomingMessage) => HostVerdict {
  const { host, hostname } = new URL(siteUrl);
  const hasPublicName = !isPrivate(hostname);
  const isOpen = trustedProxyHops > 0 || (!hasPublicName && !LOOPBACK.test(listensOn));

  return ({ headers }) => {
    const given = headers.host;
    if (given === host || isOpen || given === undefined) return 'serve';
    const name = toName(given);
    if (name === hostname || isPrivate(name)) return 'serve';
    // A proxy that the settings do not know might send the redirected request here under the same name.
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    return hasPublicName && !isForwarded ? 'redirect' : 'refuse';
  };
}

/** A Host without its port, in the spelling of `URL.hostname`. */
function toName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

function isPrivate(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || PRIVATE_NAME.test(name);
}
