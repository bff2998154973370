import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../platform/concurrency/clock.ts';
import type { SealingKey } from '../../platform/crypto/sealed-keys.ts';
import type { Database } from '../../platform/database/open.ts';
import type { Log } from '../../platform/log.ts';
import type { FileOwner } from '../stored-files/owners.ts';
import type { Settings } from '../../settings.ts';
import type { DataPlaces } from '../../platform/storage/local-data.ts';
import type { MeasureFree } from '../../platform/storage/disk-space.ts';
import type { Storage } from '../../platform/storage/port.ts';

/**
 * - `critical`: data is lost or wrong, or the site cannot run.
 * - `warning`: something does not work as it should.
 * - `info`: good to know; does not change the exit code.
 */
export type Priority = 'critical' | 'warning' | 'info';

/** The settings that checks need. */
export interface DoctorSettings extends DataPlaces {
  readonly host: string;
  /** null: the port is not known yet. */
  readonly siteUrl: string | null;
  readonly trustedProxyHops: number;
  readonly hasRateLimits: boolean;
  readonly database:
    | { readonly kind: 'sqlite'; readonly file: string }
    | { readonly kind: 'postgres'; readonly url: string; readonly replicaUrl: string | null };
  readonly secretKey: KeyObject | null;
  readonly previousSecretKey: KeyObject | null;
  readonly personalInfoPublicKey: SealingKey | null;
  readonly personalInfoKeyFile: string;
  readonly mailFrom: { readonly address: string };
  readonly backups: Settings['backups'];
  readonly backupCopies: Settings['backupCopies'];
  /** Whether browsers read the bucket at signed addresses. */
  readonly mediaRedirect: { readonly isSigned: boolean } | null;
}

/** What a check examines. */
export interface Site {
  readonly settings: DoctorSettings;
  /** Every table with files in the storage. */
  readonly files: readonly FileOwner[];
  readonly clock: Clock;
  /** The version of Node, such as `24.1.0`. */
  readonly nodeVersion: string;
  /** Opens it at the first call. Rejects if that is impossible. */
  openDatabase(): Promise<Database>;
  /** Creates a missing folder: only call it once `folders` has passed. */
  openStorage(): Promise<Storage>;
  /** The real disk by default. */
  readonly measureFree?: MeasureFree;
}

/** What a repair changes. */
export interface Tools {
  /** Opened for writing. */
  readonly database: Database;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Log;
}

/** One kind of damage that a check has found. The texts are for the command line. */
export interface Finding {
  /** Stable and unique in its check, for other texts than these. */
  readonly kind: string;
  readonly count: number;
  /** At most `EXAMPLES_MAX`; ids, paths and names, no personal data. */
  readonly examples: readonly string[];
  /** What was found. */
  readonly found: string;
  /** What it means for the site. */
  readonly meaning: string;
  /** What the operator can do. */
  readonly remedy: string;
  /** `found` for another count. */
  readonly toFound?: (count: number) => string;
  /** Repairs it; safe beside a running server, and safe to repeat. Returns what was done. Undefined: not automatic. */
  readonly fix?: (tools: Tools) => Promise<string>;
}

/** When checks run: first what does not need the data, then what is quick, and the longest last. */
export const STAGES = ['first', 'quick', 'rows', 'long', 'longest'] as const;

export interface Check {
  readonly name: string;
  readonly priority: Priority;
  readonly stage: (typeof STAGES)[number];
  /**
   * What the console says, in Japanese, when it fails. The server process runs such a check every few minutes, so it takes
   * less than a second with any amount of data. Null: only the command runs it.
   */
  readonly consoleText: string | null;
  /** Sends traffic; only runs when asked for. */
  readonly needsNetwork?: true;
  /** It compares with what only the site has, such as decisions since a backup: restored copies do without it. */
  readonly skipsCopies?: true;
  /** If it fails, the checks after it make no sense. */
  readonly endsRun?: boolean;
  /** Findings; none: it passes. Reads only. */
  run(site: Site): Promise<readonly Finding[]>;
}

export const EXAMPLES_MAX = 5;

/** The texts of a kind of damage; `found` follows the count. */
export type Diagnosis = Pick<Finding, 'kind' | 'meaning' | 'remedy' | 'fix'> & {
  found(count: number): string;
};

/** Counts damage of one kind and keeps the first examples, in bounded memory. */
export class Tally {
  count = 0;
  readonly examples: string[] = [];

  add(example: string, count = 1): void {
    this.count += count;
    if (this.examples.length < EXAMPLES_MAX) this.examples.push(example);
  }

  /** A finding, or none if nothing was counted. */
  diagnose({ found, ...diagnosis }: Diagnosis): Finding[] {
    const { count, examples } = this;
    return count === 0 ? [] : [{ ...diagnosis, found: found(count), toFound: found, count, examples }];
  }
}

/** One finding for each kind, with what parts of a check have counted of it. */
export function addUp(findings: readonly Finding[]): Finding[] {
  return Array.from(Map.groupBy(findings, ({ kind }) => kind).values(), ([first, ...others]) => {
    if (first === undefined || others.length === 0) return first;
    const parts = [first, ...others];
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const examples = parts.flatMap((part) => part.examples).slice(0, EXAMPLES_MAX);
    return { ...first, count, examples, found: first.toFound?.(count) ?? first.found };
  }).filter((finding) => finding !== undefined);
}

/** One finding without a count. */
export function diagnose(diagnosis: Omit<Finding, 'count' | 'examples'>, example?: string): Finding {
  return { ...diagnosis, count: 1, examples: example === undefined ? [] : [example] };
}

/** The plurals of the verbs that follow a count. */
const PLURALS = { is: 'are', has: 'have', waits: 'wait' } as const;

/** `1 mail`, `2 mails`; with a verb `1 mail is`, `2 mails are`. */
export function countOf(count: number, noun: string, verb?: keyof typeof PLURALS): string {
  const counted = `${count} ${noun}${count === 1 ? '' : 's'}`;
  if (verb === undefined) return counted;
  return `${counted} ${count === 1 ? verb : PLURALS[verb]}`;
}
