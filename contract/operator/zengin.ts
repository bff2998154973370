import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { PAYOUTS_MAX } from './operator.ts';

/** Calls of the console at /operator for the file with which a bank makes payouts (全銀協 総合振込). */

/** A transfer is dated this many days ahead at most; the format has no year. */
export const TRANSFER_DAYS_MAX = 60;

/** The names of the settings without which the server makes no file; empty when all are set. */
export const getZenginSettings = defineEndpoint({
  method: 'GET',
  path: '/api/operator/zengin/',
  reply: v.object({ missing: v.array(v.string()) }),
});

const LeftOutSchema = v.object({ id: v.string(), username: v.string(), reason: v.string() });
export type LeftOut = v.InferOutput<typeof LeftOutSchema>;

const ZenginFileSchema = v.object({
  /** In base64; null if no request can be in a file. */
  file: v.nullable(v.string()),
  /** The requests in the file. `count` and `total` (yen) are those of its trailer record. */
  ids: v.array(v.string()),
  count: v.pipe(v.number(), v.integer()),
  total: v.pipe(v.number(), v.integer()),
  /** Chosen requests that are not in the file, and why. */
  left_out: v.array(LeftOutSchema),
});
export type ZenginFile = v.InferOutput<typeof ZenginFileSchema>;

/** Makes a file for the bank of payout requests that wait. It books nothing. */
export const makeZenginFile = defineEndpoint({
  method: 'POST',
  path: '/api/operator/zengin/',
  body: v.object({
    ids: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(PAYOUTS_MAX)),
    /** The day of the transfer, such as `2026-11-30`. */
    date: v.pipe(v.string(), v.isoDate('振込日を指定してください。')),
  }),
  reply: ZenginFileSchema,
  refuses: [400, 409],
});
