import {
  countSounds,
  hasStaff,
  resetSecondFactor,
  setBlocked,
  setStaff,
} from '../../features/accounts/accounts.ts';
import { requestDeletionAsStaff } from '../../features/own-data/own-data.ts';
import { revokeQualityCheck } from '../../features/reviews/reviews.ts';
import { suspendMember, unsuspendMember } from '../../features/takedowns/takedowns.ts';
import { toFacts, toTime } from '../columns.ts';
import { reportMail } from '../command.ts';
import type { Command, CommandCall } from '../command.ts';
import { getMember } from '../members.ts';
import { Refusal, UsageError } from '../refusals.ts';

const toYes = (flag: number) => (flag === 1 ? 'yes' : 'no');

export const members: Readonly<Record<string, Command>> = {
  show: {
    reads: true,
    target: 'EMAIL',
    about: 'show the status of a member',
    takesJson: true,
    async run({ context, target, isJson, print }) {
      const member = await getMember(context.database, target);
      const sounds = Number((await countSounds(context.database, member.id)).sounds);
      if (isJson) return print(JSON.stringify({ ...member, sounds }, null, 2));
      print(
        toFacts({
          ID: member.id,
          Username: member.username,
          'E-mail': member.email,
          Name: member.name,
          'Member since': toTime(member.created_at),
          Verified: toYes(member.is_verified),
          'Quality check': member.status || 'none',
          'Personal info': member.personal_info_status || 'none',
          Sounds: String(sounds),
          Blocked: toYes(member.is_blocked),
          ...(member.suspension_reason !== null && { Suspended: member.suspension_reason }),
          ...(member.deletion_requested_at !== null && {
            'Deletion requested': toTime(member.deletion_requested_at),
          }),
          Staff: toYes(member.is_staff),
        }),
      );
    },
  },
  block: {
    target: 'EMAIL',
    about: 'block uploads, public changes and payouts of a member, and end their sessions',
    async run({ context, target, requireStaff, print }) {
      const staff = await requireStaff();
      const { id } = await getMember(context.database, target);
      await setBlocked(context, id, staff.id, 1);
      print(`Blocked ${target} and ended their sessions.`);
    },
  },
  unblock: {
    target: 'EMAIL',
    about: 'unblock a member',
    async run({ context, target, requireStaff, print }) {
      const staff = await requireStaff();
      const { id } = await getMember(context.database, target);
      await setBlocked(context, id, staff.id, 0);
      print(`Unblocked ${target}.`);
    },
  },
  suspend: {
    target: 'EMAIL',
    needs: ['reason'],
    about: 'block a member and hide their page and sounds; the member sees the reason',
    async run(call) {
      const { context, target, reason } = call;
      const { member, staffId } = await getOther(call);
      if (!(await suspendMember(context, member.id, staffId, reason))) {
        throw new Refusal(`${member.email} is already suspended`);
      }
      call.print(`Suspended ${target}. Their page and sounds are hidden from others.`);
      reportMail(call, target);
    },
  },
  unsuspend: {
    target: 'EMAIL',
    about: 'lift a suspension; private and hidden sounds stay as they are',
    async run(call) {
      const { context, target } = call;
      const { member, staffId } = await getOther(call);
      if (!(await unsuspendMember(context, member.id, staffId))) {
        throw new Refusal(`${member.email} is not suspended`);
      }
      call.print(`Unsuspended ${target}.${member.was_blocked === 1 ? ' They are blocked, as before.' : ''}`);
      reportMail(call, target);
    },
  },
  'revoke-quality-check': {
    target: 'EMAIL',
    needs: ['reason'],
    about:
      'take a passed quality check back; sounds stay, uploads need a new check; the member sees the reason',
    async run(call) {
      const { context, target, reason } = call;
      const { member, staffId } = await getOther(call);
      if (!(await revokeQualityCheck(context, member.id, staffId, reason))) {
        throw new Refusal(`${member.email} has not passed the quality check`);
      }
      call.print(`Revoked the quality check of ${target}. Their sounds stay public.`);
      reportMail(call, target);
    },
  },
  delete: {
    target: 'EMAIL',
    needs: ['reason'],
    takes: ['forfeit'],
    about: 'delete an account in 7 days, at the request of the member, who can undo it until then',
    async run(call) {
      const { context, target, reason, chosen } = call;
      const { member, staffId } = await getOther(call);
      const forfeit = toYen(chosen.forfeit ?? '0');
      const atMs = await requestDeletionAsStaff(context, member.id, staffId, { forfeit, reason });
      call.print(`${target} is hidden, and will be deleted after ${toTime(atMs)}.`);
      reportMail(call, target);
    },
  },
  'make-staff': {
    target: 'EMAIL',
    about: 'make an account staff; the first one needs no --as',
    async run({ context, target, requireStaff, print }) {
      const { id } = await getMember(context.database, target);
      const staff = (await hasStaff(context.database)) ? await requireStaff() : undefined;
      await setStaff(context, id, staff?.id ?? null, 1);
      print(`${target} is now staff.`);
    },
  },
  'reset-second-factor': {
    target: 'EMAIL',
    about: 'turn off the second factor of a staff account that lost its device; they are mailed',
    async run(call) {
      const { context, target, requireStaff, print } = call;
      const staff = await requireStaff();
      const member = await getMember(context.database, target);
      if (!(await resetSecondFactor(context, member.id, staff.id))) {
        throw new Refusal(`${member.email} has no second factor`);
      }
      print(`Turned off the second factor of ${target}.`);
      reportMail(call, target);
    },
  },
  'remove-staff': {
    target: 'EMAIL',
    about: 'revoke the staff rights of an account, except the last one',
    async run({ context, target, requireStaff, print }) {
      const staff = await requireStaff();
      const { id } = await getMember(context.database, target);
      await setStaff(context, id, staff.id, 0);
      print(`${target} is no longer staff.`);
    },
  },
};

function toYen(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new UsageError('--forfeit needs a whole number of yen');
  return Number(text);
}

/** The acting staff account and the target member, who must be different. */
async function getOther({ context, target, requireStaff }: CommandCall) {
  const staff = await requireStaff();
  const member = await getMember(context.database, target);
  if (member.id === staff.id) throw new Refusal('you cannot decide on the account you act as');
  return { member, staffId: staff.id };
}
