import { formatLength } from '../../../contract/durations.ts';
import {
  approveQualityCheck,
  getQualityCheck,
  listPendingQualityChecks,
  rejectQualityCheck,
  toFilePath,
} from '../../features/reviews/reviews.ts';
import { toColumns, toFacts, toTime } from '../columns.ts';
import { reportMail } from '../command.ts';
import type { Command, CommandCall } from '../command.ts';
import { openSignatures } from '../context.ts';

export const qualityChecks: Readonly<Record<string, Command>> = {
  list: {
    reads: true,
    about: 'list waiting applications, oldest first',
    takesJson: true,
    async run({ context, isJson, print }) {
      const waiting = await listPendingQualityChecks(context.database.db);
      if (isJson) return print(JSON.stringify(waiting, null, 2));
      if (waiting.length === 0) return print('No quality check is waiting.');
      print(
        toColumns(
          ['ID', 'SINCE', 'FILES', 'MEMBER', 'EMAIL'],
          waiting.map((each) => [
            each.id,
            toTime(each.submittedAt),
            String(each.files),
            each.username,
            each.email,
          ]),
        ),
      );
    },
  },
  show: {
    reads: true,
    target: 'ID',
    about: 'show an application with links to its files, valid for ten minutes while the server runs',
    takesJson: true,
    async run({ context, target, isJson, print }) {
      const { files, ...application } = await getQualityCheck(context.database.db, target);
      const signatures = openSignatures(context);
      const linkedFiles = files.map((file) => ({
        ...file,
        link:
          application.state === 'pending'
            ? `${context.localUrl}${toFilePath(signatures, application.id, file.slot)}`
            : null,
      }));
      if (isJson) return print(JSON.stringify({ ...application, files: linkedFiles }, null, 2));
      print(
        toFacts({
          ID: application.id,
          Member: `${application.username} <${application.email}>`,
          Types: application.types.join(', '),
          State: application.state,
          Submitted: toTime(application.submitted_at),
          ...(application.decided_at === null
            ? {}
            : {
                Decided: `${toTime(application.decided_at)} by ${application.decided_by ?? 'unknown'}`,
              }),
          ...(application.reason === '' ? {} : { Reason: application.reason }),
          'Other rejections': String(application.history.filter(({ state }) => state === 'rejected').length),
        }),
      );
      print('');
      print(
        toColumns(
          ['FILE', 'LENGTH', 'FORMAT', 'NAME'],
          linkedFiles.map((file) => [
            String(file.slot),
            formatLength(file.duration_ms / 1000),
            `${file.mime} ${file.bit_rate} kbit/s ${file.sample_rate} Hz`,
            file.filename,
          ]),
        ),
      );
      if (application.state !== 'pending') {
        const isLeft = files.some(({ object_key }) => object_key !== null);
        return print(`\nThe files ${isLeft ? 'are being deleted' : 'were deleted'}.`);
      }
      print('\nFor ten minutes, on this machine, while the server runs:');
      for (const { slot, link } of linkedFiles) print(`${slot}  ${link}`);
    },
  },
  approve: {
    target: 'ID',
    about: 'approve an application: the member may upload; deletes the files',
    async run(call) {
      const staff = await call.requireStaff();
      await approveQualityCheck(call.context, call.target, staff.id);
      call.print(`Approved ${call.target}.`);
      await reportMailToMember(call);
    },
  },
  reject: {
    target: 'ID',
    needs: ['reason'],
    about: 'reject an application; the member sees the reason; deletes the files',
    async run(call) {
      const staff = await call.requireStaff();
      await rejectQualityCheck(call.context, call.target, staff.id, call.reason);
      call.print(`Rejected ${call.target}.`);
      await reportMailToMember(call);
    },
  },
};

async function reportMailToMember(call: CommandCall): Promise<void> {
  const { email } = await getQualityCheck(call.context.database.db, call.target);
  reportMail(call, email);
}
