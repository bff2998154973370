import type { MiddlewareHandler } from 'hono';
import { isRefusal } from '../limits/admission.ts';
import type { Admission } from '../limits/admission.ts';
import type { ApiEnv } from './context.ts';
import { CLIENT_ADDRESS_HEADER } from './context.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Limits concurrent reads from outside, and the processor time of each network. Calls of a page in this process have
 * passed the admission of pages. Below `exempt`, each route has its own limits.
 */
export function admitReads(admission: Admission, exempt: string): MiddlewareHandler<ApiEnv> {
  return async ({ req }, next) => {
    const address = req.header(CLIENT_ADDRESS_HEADER) ?? '';
    const isAdmitted = address === '' || !READS.has(req.method) || req.path.startsWith(exempt);
    if (isAdmitted) return next();
    try {
      await admission.run(address, next);
    } catch (error) {
      if (isRefusal(error)) await admission.delayRefusal();
      throw error;
    }
  };
}
