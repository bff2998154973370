import type { ServerResponse } from 'node:http';
import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { findMatchedRoute } from '../../platform/http/matched-routes.ts';
import type { WebHandler } from '../handler.ts';
import type { PageCache } from '../page-cache.ts';
import { toRequestKind } from './request-kinds.ts';

const SECONDS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** Counts the requests of a handler, and measures each until its response has left or its client has. */
export function observeRequests(
  handler: WebHandler,
  registry: Registry,
  isStaticFile: (path: string) => boolean,
): WebHandler {
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by kind, route of the API and class of status; aborted: the client left before the end.',
    labelNames: ['kind', 'route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response, or until the client left.',
    labelNames: ['kind', 'route'],
    buckets: SECONDS,
    registers: [registry],
  });
  function observed(...[req, res]: Parameters<WebHandler>): void {
    const began = performance.now();
    const kind = toRequestKind(req.url ?? '', isStaticFile);
    res.once('close', () => {
      const route = kind === 'api' ? (findMatchedRoute(req) ?? 'unknown') : '';
      requests.inc({ kind, route, status: toStatus(res) });
      durations.observe({ kind, route }, (performance.now() - began) / 1_000);
    });
    handler(req, res);
  }
  return Object.assign(observed, { drain: () => handler.drain() });
}

/** Counts what the page cache answers from memory, and what waits for a rendering. */
export function observeLookups(pages: PageCache, registry: Registry): PageCache {
  const lookups = new Counter({
    name: 'site_page_cache_requests_total',
    help: 'Requests for pages; hit: answered from memory, miss: rendered, or waited for another rendering.',
    labelNames: ['result'],
    registers: [registry],
  });
  return {
    find(url, visitor, isRevalidation) {
      const page = pages.find(url, visitor, isRevalidation);
      if (page !== undefined) lookups.inc({ result: 'hit' });
      return page;
    },
    get(target, url, requestId, visitor, isRevalidation) {
      // A page that lacks only the requested encoding has been counted as a hit.
      if (pages.find(url, visitor, isRevalidation) === undefined) lookups.inc({ result: 'miss' });
      return pages.get(target, url, requestId, visitor, isRevalidation);
    },
    changed: (tags) => pages.changed(tags),
    resized: (page) => pages.resized(page),
    get byteSize() {
      return pages.byteSize;
    },
    get sizes() {
      return pages.sizes;
    },
  };
}

function toStatus(res: ServerResponse): string {
  return res.writableFinished ? `${Math.floor(res.statusCode / 100)}xx` : 'aborted';
}
