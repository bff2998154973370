import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createSemaphore } from '../concurrency/concurrency.ts';

const derive = promisify(argon2);

/** OWASP's argon2id floor at one pass: 46 MiB, t = 1, p = 1 (about 60 ms of one core). */
const MEMORY_KIB = 47_104;
const PASSES = 1;
const PARALLELISM = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Hashes and compares passwords with limited concurrency. Both throw `Busy` when the queue is full. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Compares with the hash. null means that the account does not exist; the comparison costs the same. */
  matches(password: string, hash: string | null): Promise<boolean>;
}

/** Argon2 uses a core and 46 MiB for 60 ms: more at the same time would starve all other work. */
const PARALLEL_MAX = 2;
/** Callers beyond this many are rejected. At 30 hashes a second, the longest wait is two seconds. */
const WAITING_MAX = 50;

/** Compared with when there is no account, so that the response time does not reveal whether one exists. */
const DUMMY_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

export function createPasswords(): Passwords {
  const semaphore = createSemaphore(PARALLEL_MAX, WAITING_MAX);
  return {
    hash: (password) => semaphore.run(() => hashPassword(password)),
    matches: (password, hash) =>
      semaphore.run(async () => (await isPassword(password, hash ?? DUMMY_HASH)) && hash !== null),
  };
}

/** A password as it is stored: argon2id in the PHC string format, with its own parameters and salt. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await derive('argon2id', {
    message: toMessage(password),
    nonce,
    memory: MEMORY_KIB,
    passes: PASSES,
    parallelism: PARALLELISM,
    tagLength: TAG_BYTES,
  });
  const parameters = `m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}`;
  return `$argon2id$v=19$${parameters}$${toBase64(nonce)}$${toBase64(tag)}`;
}

/** Whether the password matches the hash; false for a hash in another format. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
  if (!parts) return false;
  const [, memory, passes, parallelism, nonce = '', tag = ''] = parts;
  const wanted = Buffer.from(tag, 'base64');
  const found = await derive('argon2id', {
    message: toMessage(password),
    nonce: Buffer.from(nonce, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: wanted.length,
  });
  return timingSafeEqual(found, wanted);
}

/** Independent of how a keyboard composed or widened the characters (NIST SP 800-63B §3.1.1.2). */
function toMessage(password: string): string {
  return password.toWellFormed().normalize('NFKC');
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
