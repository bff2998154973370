import { toFacts, toTime } from '../columns.ts';
import type { Command } from '../command.ts';
import { countSounds, getMember, hasStaff, setBlocked, setStaff } from '../members.ts';

const toYes = (flag: number) => (flag === 1 ? 'yes' : 'no');

export const members: Readonly<Record<string, Command>> = {
  show: {
    reads: true,
    target: 'EMAIL',
    about: 'where a member stands',
    takesJson: true,
    async run({ desk, target, isJson, print }) {
      const member = await getMember(desk.database, target);
      const sounds = Number((await countSounds(desk.database, member.id)).sounds);
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
          Staff: toYes(member.is_staff),
        }),
      );
    },
  },
  block: {
    target: 'EMAIL',
    about: 'keep a member from uploading and being paid; ends their sessions',
    async run({ desk, target, requireStaff, print }) {
      const staff = await requireStaff();
      await setBlocked(desk, await getMember(desk.database, target), staff.id, 1);
      print(`Blocked ${target}. Every session of theirs has ended.`);
    },
  },
  unblock: {
    target: 'EMAIL',
    about: 'undo that',
    async run({ desk, target, requireStaff, print }) {
      const staff = await requireStaff();
      await setBlocked(desk, await getMember(desk.database, target), staff.id, 0);
      print(`Unblocked ${target}.`);
    },
  },
  'make-staff': {
    target: 'EMAIL',
    about: 'make a staff account; the first one needs nobody who acts',
    async run({ desk, target, requireStaff, print }) {
      const member = await getMember(desk.database, target);
      const staff = (await hasStaff(desk.database)) ? await requireStaff() : undefined;
      await setStaff(desk, member, staff?.id ?? null, 1);
      print(`${target} is staff now.`);
    },
  },
  'remove-staff': {
    target: 'EMAIL',
    about: 'make it an ordinary account again; the last one stays',
    async run({ desk, target, requireStaff, print }) {
      const staff = await requireStaff();
      await setStaff(desk, await getMember(desk.database, target), staff.id, 0);
      print(`${target} is no longer staff.`);
    },
  },
};
