export { createAccessTokens } from './access-tokens.ts';
export type { AccessTokens, TokenHolder } from './access-tokens.ts';
export { isKeyedHash, keyedHash } from './keyed-hash.ts';
export { createPasswords, hashPassword, isPasswordHash } from './passwords.ts';
export type { Passwords } from './passwords.ts';
export {
  findSealingKey,
  makeSealingKey,
  readOpeningKeys,
  readOrMakeSealingKey,
  readSealingKey,
  toOpeningKeys,
  toPublicKeyLine,
} from './sealed-keys.ts';
export type { OpeningKeys, SealingKey } from './sealed-keys.ts';
export {
  UnopenableSealError,
  makeDataKey,
  openDataKey,
  readKeyId,
  seal,
  sealDataKey,
  unseal,
} from './sealed.ts';
export { sealStream, unsealStream } from './sealed-streams.ts';
export {
  SECRET_NAMES,
  findSecret,
  findSecretKey,
  openSecret,
  openSecrets,
  toSecretKeyId,
} from './secrets.ts';
