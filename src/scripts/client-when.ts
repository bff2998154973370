import { clientWhen } from './shell/islands.ts';

export default clientWhen;
