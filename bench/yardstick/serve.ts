import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants } from 'node:zlib';
import { type Content, toHtml, toPreload } from './page.ts';

interface Ready {
  readonly body: Buffer;
  readonly headers: Record<string, string | number>;
}

/** A page in both encodings. */
interface ReadyPage {
  readonly br: Ready;
  readonly identity: Ready;
}

const NOTHING = new URLSearchParams();

/**
 * Serves the yardstick with a bare Node server. A page is made from the JSON of the API at `site` when it is first
 * requested, compressed once and kept. Pictures and sounds are passed on from `site`, so that both servers send the
 * same files with the same headers.
 */
export function serveYardstick(site: string, port: number): void {
  const pages = new Map<string, ReadyPage>();
  const labels = askLabels(site);
  const agent = new Agent({ keepAlive: true });
  createServer((req, res) => {
    const url = req.url ?? '/';
    const page = pages.get(url);
    if (page !== undefined) return send(req, res, page);
    if (url === '/readyz') return res.end();
    if (url.startsWith('/sounds')) {
      return void labels
        .then((known) => makePage(site, url, known))
        .then(
          (made) => {
            pages.set(url, made);
            send(req, res, made);
          },
          (error: unknown) => res.writeHead(500).end(String(error)),
        );
    }
    return passOn(agent, site, req, res);
  }).listen(port, '127.0.0.1');
}

function send(req: IncomingMessage, res: ServerResponse, { br, identity }: ReadyPage): void {
  const { body, headers } = req.headers['accept-encoding']?.includes('br') ? br : identity;
  res.writeHead(200, headers);
  res.end(body);
}

type Labels = Omit<Content, 'list'>;

/** What every page shows. */
async function askLabels(site: string): Promise<Labels> {
  return {
    types: await ask(site, '/api/sounds/types/'),
    genres: await ask(site, '/api/genres/'),
    config: await ask(site, '/api/site-config'),
    pages: await ask(site, '/api/page/'),
  };
}

async function makePage(site: string, url: string, labels: Labels): Promise<ReadyPage> {
  const query = new URL(url, site).searchParams;
  const listing = new URLSearchParams({ page: '1', ordering: '-created', ...Object.fromEntries(query) });
  const content: Content = { ...labels, list: await ask(site, '/api/sounds/', listing) };
  const body = Buffer.from(toHtml(content, query));
  const quality = query.size === 0 ? constants.BROTLI_MAX_QUALITY : 5;
  const compressed = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  const preload = toPreload(content);
  const common = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=30',
    vary: 'accept-encoding',
    ...(preload !== undefined && { link: preload }),
  };
  return {
    br: {
      body: compressed,
      headers: { ...common, 'content-encoding': 'br', 'content-length': compressed.byteLength },
    },
    identity: { body, headers: { ...common, 'content-length': body.byteLength } },
  };
}

async function ask<Reply>(site: string, path: string, query = NOTHING): Promise<Reply> {
  const response = await fetch(`${site}${path}?${query.toString()}`);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as Reply;
}

function passOn(agent: Agent, site: string, req: IncomingMessage, res: ServerResponse): void {
  const { host: _, ...headers } = req.headers;
  const asked = request(`${site}${req.url}`, { agent, headers }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  asked.once('error', () => res.destroy());
  res.once('close', () => asked.destroy());
  asked.end();
}
