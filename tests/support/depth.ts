/** Whether this is `npm run soak`: long tests at full length, and every API test on both databases. */
export const isSoak = process.env['SOAK'] === '1';

/** The length of a test in `npm test` and in `npm run soak`. */
export function depth<Value>(short: Value, full: Value): Value {
  return isSoak ? full : short;
}
