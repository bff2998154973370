import { hasStaff, setStaff } from '../../features/accounts/members.ts';
import { resetSecondFactor } from '../../features/accounts/second-factor.ts';
import { requestDeletionAsStaff } from '../../features/own-data/deletion.ts';
import { toTime } from '../columns.ts';
import { REASON, reportMail } from '../command.ts';
import type { Commands } from '../command.ts';
import { getMember } from '../members.ts';
import { Refusal, UsageError } from '../refusals.ts';

export const members: Commands = {
  delete: {
    target: 'EMAIL',
    needs: REASON,
    takes: { forfeit: 'YEN' },
    about: 'delete an account in 7 days, at the request of the member, who can undo it until then',
    async run(call) {
      const { context, target, options, requireStaff } = call;
      const forfeit = toYen(options['forfeit'] ?? '0');
      const staff = await requireStaff();
      const member = await getMember(context.database, target);
      if (member.id === staff.id) throw new Refusal('you cannot decide on the account you act as');
      const wish = { forfeit, reason: options['reason'] ?? '' };
      const atMs = await requestDeletionAsStaff(context, member.id, staff.id, wish);
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
