import { ApiError } from '../../contract/calls/errors.ts';
import { takeFromAddress, takeFromFragment } from './address.ts';
import { listStored, readStored, writeStored } from './stored.ts';

const PREFIX = 'link:';

interface MailedLinkOptions<Name extends string> {
  /** Its key in the storage of the tab. */
  readonly key: string;
  /** The parameters of the address, all of which are needed. */
  readonly names: readonly Name[];
  /** Whether they are in the fragment. */
  readonly isInFragment?: boolean;
}

/**
 * The secret of a mailed link. It leaves the address at once and stays in this tab, so that the link can be tried again
 * after an outage, also after a reload, until it is used or refused.
 */
export function createMailedLink<const Name extends string>({
  key,
  names,
  isInFragment = false,
}: MailedLinkOptions<Name>) {
  const storedKey = PREFIX + key;
  const take = isInFragment ? takeFromFragment : takeFromAddress;
  let link: Record<Name, string> | null = null;

  /** Reads the link; null if neither the address nor the tab has one. */
  function read(): Record<Name, string> | null {
    const opened = take(names);
    if (opened !== null) writeStored(storedKey, opened, 'sessionStorage');
    link = opened ?? link ?? readStored(storedKey, (stored) => toLink(stored, names), 'sessionStorage');
    return link;
  }

  /** Forgets the link. */
  function drop(): void {
    link = null;
    writeStored(storedKey, null, 'sessionStorage');
  }

  return { read, drop };
}

/** Forgets the links that this tab has opened. */
export function dropMailedLinks(): void {
  for (const key of listStored(PREFIX, 'sessionStorage')) writeStored(PREFIX + key, null, 'sessionStorage');
}

/** What is in storage may be anything. */
function toLink<Name extends string>(stored: unknown, names: readonly Name[]): Record<Name, string> | null {
  const link = Object(stored) as Record<Name, unknown>;
  const isWhole = names.every((name) => typeof link[name] === 'string' && link[name] !== '');
  return isWhole ? (link as Record<Name, string>) : null;
}

/**
 * Whether the host has refused the link. Otherwise it may still be valid: nobody answered, the host is busy, or the
 * refusal concerns `field`, which is sent with the link.
 */
export function isLinkRefused(error: unknown, field?: string): boolean {
  if (!(error instanceof ApiError)) return false;
  const { kind, status, fields } = error;
  if (fields.some(({ key }) => key === field)) return false;
  return ['refused', 'not-found', 'unauthorised'].includes(kind) && status !== 408 && status !== 429;
}
