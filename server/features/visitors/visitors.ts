export { deleteOldAddressKeys, forgetOldAddressKeys, hashAddress } from './addresses.ts';
export type { AddressHashes } from './addresses.ts';
export {
  deleteOldTraces,
  recordMember,
  recordMemberCall,
  toNetworkSubject,
  toVisitorSubject,
} from './member-traces.ts';
export { admitVisitor, findVisitor } from './visitor-cookie.ts';
