export { readQueues } from './queues.ts';
