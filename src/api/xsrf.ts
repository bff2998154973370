import { readApiOrigin } from './origin.ts';

/** A read that every host of spec §7 answers, to test whether it allows the header. */
const PROBE_PATH = '/api/site-config';

/** The last of several: those that a sibling host has added for a longer path come first, and API calls lack them. */
const COOKIE = /^(?:.*; )?XSRF-TOKEN=([^;]+)/;

/**
 * The token to send to the host of `url` as `X-XSRF-TOKEN` (spec §7); undefined if the page can read no such cookie.
 * The page's own host always gets it; `API_ORIGIN` gets it with changes, and only if its CORS rules allow the header:
 * cookies ignore ports, and one can be left over from another host of the same name.
 */
export async function findXsrfToken(url: string, method = 'GET'): Promise<string | undefined> {
  const [, cookie] = COOKIE.exec(document.cookie) ?? [];
  if (cookie === undefined) return undefined;
  const token = decode(cookie);
  if (url.startsWith('/')) return token;
  const origin = readApiOrigin();
  const isChange = !/^(?:GET|HEAD)$/i.test(method);
  if (!isChange || origin === '' || !url.startsWith(`${origin}/`)) return undefined;
  isAllowed ??= probe(origin, token).catch(() => {
    // The host is unreachable; the next change tests again.
    isAllowed = undefined;
    return false;
  });
  return (await isAllowed) ? token : undefined;
}

/** Whether `API_ORIGIN` allows the header, once known. */
let isAllowed: Promise<boolean> | undefined;

/** Browsers report a forbidden header as a network failure, so the same call is repeated without it. */
async function probe(origin: string, token: string): Promise<boolean> {
  const ask = (headers: Record<string, string>) =>
    fetch(origin + PROBE_PATH, { credentials: 'include', headers, cache: 'no-store' });
  try {
    await ask({ 'x-xsrf-token': token });
    return true;
  } catch {
    await ask({});
    return false;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
