export { createAccessTokens } from './access-tokens.ts';
export type { AccessTokens, TokenHolder } from './access-tokens.ts';
export { createPasswords, hashPassword } from './passwords.ts';
export type { Passwords } from './passwords.ts';
export {
  findSealingKey,
  makeSealingKey,
  readOpeningKeys,
  readOrMakeSealingKey,
  toOpeningKeys,
  toPublicKeyLine,
} from './sealed-keys.ts';
export type { OpeningKeys, SealingKey } from './sealed-keys.ts';
export {
  isLegacySeal,
  readLegacyKeys,
  retireLegacyKeys,
  toRetiredFile,
  unsealLegacy,
} from './sealed-legacy.ts';
export {
  UnopenableSealError,
  makeDataKey,
  openDataKey,
  readKeyId,
  seal,
  sealDataKey,
  unseal,
} from './sealed.ts';
export { findSecretKey, openSecret, openSecrets, toSecretKeyId } from './secrets.ts';
