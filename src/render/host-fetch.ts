/** More than a missing slash and another spelling need. */
const REDIRECTS_MAX = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The fetch by which pages read the API of another host, until a deadline. It follows redirects within that host, such as
 * to an address with its slash. Others are the reply: the host must not choose what this process connects to.
 */
export function createHostFetch(deadline: AbortSignal, send: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    // Combined only where a call has its own: that takes a quarter of the time of a call.
    const signal = init?.signal ? AbortSignal.any([deadline, init.signal]) : deadline;
    const options: RequestInit = { ...init, signal, redirect: 'manual' };
    let url = input instanceof Request ? input.url : String(input);
    let reply = await send(input, options);
    for (let count = 0; count < REDIRECTS_MAX; count += 1) {
      const next = findNext(reply, url);
      if (next === undefined) break;
      await reply.body?.cancel();
      url = next;
      reply = await send(url, options);
    }
    return reply;
  };
}

/** Where a reply redirects to, if that is the same host, or the same name with TLS. */
function findNext({ status, headers }: Response, url: string): string | undefined {
  const location = headers.get('location') ?? '';
  if (!REDIRECTS.has(status) || location === '') return undefined;
  const next = URL.parse(location, url);
  const { origin, hostname } = new URL(url);
  const isSame = next?.origin === origin || next?.origin === `https://${hostname}`;
  return isSame ? next?.href : undefined;
}
