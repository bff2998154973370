import type { Insertable } from 'kysely';
import { DAY_MS } from '../../../contract/values/time-units.ts';
import type { AddressChangesTable, Db } from './tables.ts';

type Kind = AddressChangesTable['kind'];

const LINK_LIFETIME_MS = DAY_MS;

/** The addresses that a member has not confirmed yet. */
export async function findAddressChanges(
  db: Db,
  userId: string,
  nowMs: number,
): Promise<Partial<Record<Kind, string>>> {
  const rows = await db
    .selectFrom('address_changes')
    .select(['kind', 'email'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', nowMs)
    .execute();
  return Object.fromEntries(rows.map(({ kind, email }) => [kind, email]));
}

/**
 * Replaces the pending change of the same kind and invalidates its link. Returns the expiry (epoch ms): 24 hours from
 * now or, for the same address, that of the replaced change. Repeating the request needs no password, so it must not
 * extend the expiry.
 */
export async function replaceAddressChange(
  db: Db,
  change: Omit<Insertable<AddressChangesTable>, 'expires_at'>,
): Promise<number> {
  const { user_id: _, kind: __, ...values } = change;
  const row = { ...change, expires_at: change.created_at + LINK_LIFETIME_MS };
  const { expires_at } = await db
    .insertInto('address_changes')
    .values(row)
    .onConflict((on) =>
      on.columns(['user_id', 'kind']).doUpdateSet((eb) => ({
        ...values,
        expires_at: eb
          .case()
          .when(
            eb.and([
              eb('address_changes.email', '=', change.email),
              eb('address_changes.expires_at', '>', change.created_at),
            ]),
          )
          .then(eb.ref('address_changes.expires_at'))
          .else(eb.ref('excluded.expires_at'))
          .end(),
      })),
    )
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return expires_at;
}

/** Deletes the pending change of one kind, or of both. */
export async function deleteAddressChange(db: Db, userId: string, kind?: Kind): Promise<void> {
  await db
    .deleteFrom('address_changes')
    .where('user_id', '=', userId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'account'))
    .execute();
}

/** Consumes a link and returns its change, if it is still valid. */
export function takeAddressChange(
  db: Db,
  { userId, kind, tokenHash }: { readonly userId: string; readonly kind: Kind; readonly tokenHash: string },
  nowMs: number,
) {
  return db
    .deleteFrom('address_changes')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', nowMs)
    .returning('email')
    .executeTakeFirst();
}
