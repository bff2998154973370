/** 128 random bits as text. `crypto.randomUUID` is missing on pages without HTTPS. */
export function createRandomId(): string {
  return crypto.getRandomValues(new BigUint64Array(2)).join('-');
}
