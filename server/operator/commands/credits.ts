import { toDay } from '../../../contract/months.ts';
import {
  LISTED_MAX,
  REASONS,
  approveCredit,
  approveHeldCredits,
  findUserIdByName,
  listCredits,
  rejectCredit,
  rejectHeldCredits,
  reverseCredit,
} from '../../features/downloads/downloads.ts';
import type { CreditState } from '../../features/downloads/downloads.ts';
import { toColumns, toTime } from '../columns.ts';
import type { Command, CommandCall } from '../command.ts';
import { BLOCKERS, Refusal, UsageError } from '../refusals.ts';

/** Enough to recognise two from the same browser or network. */
const MARK_LENGTH = 6;
const STATES: readonly CreditState[] = ['held', 'credited', 'rejected', 'refused', 'reversed'];

export const credits: Readonly<Record<string, Command>> = {
  list: {
    reads: true,
    takes: ['artist', 'day', 'state'],
    about: 'list download credits of one state, by default those held for review',
    takesJson: true,
    async run(call) {
      const { context, chosen, isJson, print } = call;
      const state = toState(chosen.state);
      const artistId = chosen.artist === undefined ? undefined : await getArtistId(call, chosen.artist);
      const found = await listCredits(context, { state, artistId, day: toDayNumber(chosen.day) });
      if (isJson) return print(JSON.stringify(found, null, 2));
      if (found.length === 0) return print(`No credit is ${state}.`);
      print(
        toColumns(
          ['ID', 'WHEN', 'YEN', 'ARTIST', 'TITLE', 'VISITOR', 'NETWORK', 'REASON'],
          found.map((each) => [
            each.id,
            toTime(each.created_at),
            each.yen.toLocaleString('en'),
            each.artist,
            each.title === null ? '(deleted)' : each.title || 'Untitled',
            toMark(each.visitor),
            toMark(each.network),
            each.reason,
          ]),
        ),
      );
      const reasons = new Set(found.map(({ reason }) => reason));
      // Reasons written by the staff need no explanation.
      for (const [reason, meaning] of Object.entries(REASONS)) {
        if (reasons.has(reason)) print(`${reason}: ${meaning}`);
      }
      if (found.length === LISTED_MAX)
        print(`The list is limited to ${LISTED_MAX} rows; use --artist or --day.`);
    },
  },
  approve: {
    target: 'ID',
    takes: ['artist', 'day'],
    about: 'approve a held credit; its artist gets the yen of the day of the download',
    run: (call) => decide(call, true),
  },
  reject: {
    target: 'ID',
    takes: ['artist', 'day'],
    needs: ['reason'],
    about: 'reject a held credit; it stays unpaid, and the reason is recorded',
    run: (call) => decide(call, false),
  },
  reverse: {
    target: 'ID',
    needs: ['reason'],
    about: 'reverse a credit, unless its yen were paid out; the reason is recorded',
    async run({ context, target, reason, requireStaff, print }) {
      const staff = await requireStaff();
      const { rewardPendingDays } = context.settings;
      await reverseCredit({ ...context, rewardPendingDays }, target, staff.id, reason);
      print(`Reversed: ${target}.`);
    },
  },
};

async function decide(call: CommandCall, isApproved: boolean): Promise<number | void> {
  const { context, target, chosen, reason, print } = call;
  if (chosen.artist !== undefined) return decideMany(call, chosen.artist, isApproved);
  const staff = await call.requireStaff();
  await (isApproved
    ? approveCredit(context, target, staff.id)
    : rejectCredit(context, target, staff.id, reason));
  print(`${isApproved ? 'Approved' : 'Rejected'}: ${target}.`);
}

async function decideMany(call: CommandCall, artist: string, isApproved: boolean): Promise<number> {
  const { context, chosen, reason, print } = call;
  const day = toDayNumber(chosen.day);
  const staff = await call.requireStaff();
  const held = { artistId: await getArtistId(call, artist), day };
  const { credits, yen, skipped } = await (isApproved
    ? approveHeldCredits(context, held, staff.id)
    : rejectHeldCredits(context, held, staff.id, reason));
  print(`${isApproved ? 'Approved' : 'Rejected'}: ${toCount(credits)}, ${yen.toLocaleString('en')} yen.`);
  if (skipped === undefined) return 0;
  print(`Skipped: ${toCount(skipped.credits)}; ${BLOCKERS[skipped.blocker]}.`);
  return 1;
}

/** Throws `Refusal` for a name that is not in use. */
async function getArtistId({ context }: CommandCall, name: string): Promise<string> {
  const id = await findUserIdByName(context.database.db, name);
  if (id === undefined) throw new Refusal(`${name}: no member has this name`);
  return id;
}

function toState(text: string | undefined): CreditState {
  const state = STATES.find((each) => each === (text ?? 'held'));
  if (state === undefined) throw new UsageError(`--state must be one of ${STATES.join(', ')}`);
  return state;
}

/** A day in Japanese notation; valid calendar days only. */
function toDayNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== text) {
    throw new UsageError('--day must be a date such as 2026-11-21, in Japan time');
  }
  return toDay(atMs);
}

function toCount(credits: number): string {
  return credits === 1 ? '1 credit' : `${credits.toLocaleString('en')} credits`;
}

function toMark(hash: string | null): string {
  return hash?.slice(0, MARK_LENGTH) ?? '';
}
