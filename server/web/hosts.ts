import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { findAuthority } from './targets.ts';

export interface HostOptions {
  /** The public address. */
  readonly siteUrl: string;
  /** The host that the server listens on. */
  readonly listensOn: string;
  readonly trustedProxyHops: number;
}

/** Whether to serve a request, to redirect it to `siteUrl` if it is for a page, or to answer 421 (RFC 9110 §15.5.20). */
export type HostVerdict = 'serve' | 'redirect' | 'refuse';

/** Names that public DNS does not resolve, so that a website cannot point them here (RFC 6761, 6762, 8375). */
const PRIVATE_NAME = /^(?:[\w-]+|[\w.-]+\.(?:localhost|local|internal|lan|home\.arpa))$/;
const LOOPBACK = /^(?:127\.[\d.]+|::1|localhost)$/;

/**
 * Checks the Host of requests, against DNS rebinding: a website whose name resolves to this machine could otherwise
 * read and change its data through a visitor's browser. Behind a proxy, the proxy decides which names lead here, and
 * may send one of its own. Without a public name in `siteUrl`, a server that listens on the network is used under
 * unknown names, and one on loopback only under private ones.
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
    // A proxy missing from the settings might send the redirected request here again under the same name.
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    return hasPublicName && !isForwarded ? 'redirect' : 'refuse';
  };
}

/**
 * HTTP/1.1 with one Host, or HTTP/1.0 with one at most; a target in absolute form names the same host (RFC 9112 §3.2).
 * A proxy in front of this process may interpret other requests differently.
 */
export function isProper(req: IncomingMessage): boolean {
  const { httpVersionMajor, httpVersionMinor, headers, rawHeaders, url = '' } = req;
  if (httpVersionMajor !== 1 || (headers.host === undefined && httpVersionMinor !== 0)) return false;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  const authority = findAuthority(url);
  return hosts <= 1 && (authority === undefined || authority === headers.host?.toLowerCase());
}

/** A Host without its port, in the spelling of `URL.hostname`. */
function toName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

function isPrivate(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || PRIVATE_NAME.test(name);
}
