export { readQueues } from './queues.ts';
export { CONSIGNOR_LENGTH_MAX } from './zengin/format.ts';
export { CONSIGNOR_DEPOSITS, isConsignorName } from './zengin/settings.ts';
export type { ZenginSettings } from './zengin/settings.ts';
