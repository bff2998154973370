import { suspendMember, unsuspendMember } from '../../features/takedowns/takedowns.ts';
import { toFacts, toTime } from '../columns.ts';
import { reportMail } from '../command.ts';
import type { Command, CommandCall } from '../command.ts';
import { countSounds, getMember, hasStaff, setBlocked, setStaff } from '../members.ts';
import { Refusal } from '../refusals.ts';

const toYes = (flag: number) => (flag === 1 ? 'yes' : 'no');

export const members: Readonly<Record<string, Command>> = {
  show: {
    reads: true,
    target: 'EMAIL',
    about: 'where a member stands',
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
          'Quality check': member.status || 'none waits',
          'Personal info': member.personal_info_status || 'nothing sent',
          Sounds: String(sounds),
          Blocked: toYes(member.is_blocked),
          ...(member.suspension_reason !== null && { Suspended: member.suspension_reason }),
          Staff: toYes(member.is_staff),
        }),
      );
    },
  },
  block: {
    target: 'EMAIL',
    about: 'keep a member from uploading, public changes and being paid; ends their sessions',
    async run({ context, target, requireStaff, print }) {
      const staff = await requireStaff();
      await setBlocked(context, await getMember(context.database, target), staff.id, 1);
      print(`Blocked ${target}. Every session of theirs has ended.`);
    },
  },
  unblock: {
    target: 'EMAIL',
    about: 'undo that',
    async run({ context, target, requireStaff, print }) {
      const staff = await requireStaff();
      await setBlocked(context, await getMember(context.database, target), staff.id, 0);
      print(`Unblocked ${target}.`);
    },
  },
  suspend: {
    target: 'EMAIL',
    needs: ['reason'],
    about: 'block a member and hide all of theirs from others, with a reason that the member reads',
    async run(call) {
      const { context, target, reason } = call;
      const { member, staffId } = await getOther(call);
      if (!(await suspendMember(context, member.id, staffId, reason))) {
        throw new Refusal(`${member.email} is suspended already`);
      }
      call.print(`Suspended ${target}. Nobody else sees their page and sounds any more.`);
      reportMail(call, target);
    },
  },
  unsuspend: {
    target: 'EMAIL',
    about: 'undo that; what was private or hidden stays so',
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
  'make-staff': {
    target: 'EMAIL',
    about: 'make a staff account; the first one needs nobody who acts',
    async run({ context, target, requireStaff, print }) {
      const member = await getMember(context.database, target);
      const staff = (await hasStaff(context.database)) ? await requireStaff() : undefined;
      await setStaff(context, member, staff?.id ?? null, 1);
      print(`${target} is staff now.`);
    },
  },
  'remove-staff': {
    target: 'EMAIL',
    about: 'make it an ordinary account again; the last one stays',
    async run({ context, target, requireStaff, print }) {
      const staff = await requireStaff();
      await setStaff(context, await getMember(context.database, target), staff.id, 0);
      print(`${target} is no longer staff.`);
    },
  },
};

/** The acting staff account and the target member, who must be different. */
async function getOther({ context, target, requireStaff }: CommandCall) {
  const staff = await requireStaff();
  const member = await getMember(context.database, target);
  if (member.id === staff.id) throw new Refusal('nobody suspends the account they act as');
  return { member, staffId: staff.id };
}
