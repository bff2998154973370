import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Busy } from '../limits/busy.ts';
import { Turns } from '../turns.ts';

const derive = promisify(argon2);

/** OWASP's argon2id floor at one pass: 46 MiB, t = 1, p = 1 (about 60 ms of one core). */
const MEMORY_KIB = 47_104;
const PASSES = 1;
const PARALLELISM = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/**
 * Who waits for a hash. `network`: anyone, by the network of the address. `member`: an account, of a browser that has
 * logged in to it before, of a session, or of a mailed link.
 */
export type HashFor = { readonly network: string } | { readonly member: string };

/** Hashes and compares passwords with limited concurrency. Both throw `Busy` when the queue is full. */
export interface Passwords {
  hash(password: string, whom: HashFor): Promise<string>;
  /** Compares with the hash. null means that the account does not exist; the comparison costs the same. */
  matches(password: string, hash: string | null, whom: HashFor): Promise<boolean>;
}

/** The work itself. Tests count it. */
export interface Hashing {
  hash(password: string): Promise<string>;
  isPassword(password: string, hash: string): Promise<boolean>;
}

/** Argon2 uses a core and 46 MiB for 60 ms: more at the same time would starve all other work. */
const PARALLEL = { networks: 2, members: 1 };
/** Callers beyond this many are rejected. At 30 hashes a second, the longest wait is two seconds. */
const WAITING_MAX = 50;
/** Of one network or account, so that one customer cannot fill the line. */
const WAITING_EACH_MAX = 2;

/** Compared with when there is no account, so that the response time does not reveal whether one exists. */
const DUMMY_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Networks are served in turn. Members have a line of their own, so that no flood of strangers delays them. */
export function createPasswords(hashing: Hashing = { hash: hashPassword, isPassword }): Passwords {
  const lines = { networks: openLine(PARALLEL.networks), members: openLine(PARALLEL.members) };
  const run = <Result>(whom: HashFor, work: () => Promise<Result>) =>
    'member' in whom ? lines.members.run(work, whom.member) : lines.networks.run(work, whom.network);
  return {
    hash: (password, whom) => run(whom, () => hashing.hash(password)),
    matches: (password, hash, whom) =>
      run(whom, async () => (await hashing.isPassword(password, hash ?? DUMMY_HASH)) && hash !== null),
  };
}

function openLine(parallel: number): Turns {
  return new Turns({
    parallel,
    waitingMax: WAITING_MAX,
    waitingPerKeyMax: WAITING_EACH_MAX,
    toRefusal: () => new Busy(),
  });
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

const FORMAT = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Whether a stored password has the format of `hashPassword`: no password matches any other. */
export function isPasswordHash(stored: string): boolean {
  return FORMAT.test(stored);
}

/** Whether the password matches the hash; false for a hash in another format. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const parts = FORMAT.exec(hash);
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
