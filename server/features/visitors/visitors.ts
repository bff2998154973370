export { forgetAddressKeys, hashAddress } from './addresses.ts';
export type { AddressHashes } from './addresses.ts';
export {
  forgetTraces,
  noteMember,
  noteMemberCall,
  toNetworkSubject,
  toVisitorSubject,
} from './member-traces.ts';
export { admitVisitor, findVisitor } from './visitor-cookie.ts';
