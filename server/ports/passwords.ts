import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** OWASP's argon2id floor at one pass: 46 MiB, t = 1, p = 1 (about 60 ms of one core). */
const MEMORY_KIB = 47_104;
const PASSES = 1;
const PARALLELISM = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** A password as it is kept: argon2id in the PHC string format, with its own parameters and salt. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await derive('argon2id', {
    message: password,
    nonce,
    memory: MEMORY_KIB,
    passes: PASSES,
    parallelism: PARALLELISM,
    tagLength: TAG_BYTES,
  });
  const parameters = `m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}`;
  return `$argon2id$v=19$${parameters}$${toBase64(nonce)}$${toBase64(tag)}`;
}

/** Whether this is the password that was hashed; false for a hash of another form. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
  if (!parts) return false;
  const [, memory, passes, parallelism, nonce = '', tag = ''] = parts;
  const wanted = Buffer.from(tag, 'base64');
  const found = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(nonce, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: wanted.length,
  });
  return timingSafeEqual(found, wanted);
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
