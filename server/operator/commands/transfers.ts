import {
  listTransferRequests,
  payTransferRequest,
  refuseTransferRequest,
} from '../../features/ledger/ledger.ts';
import { toColumns, toTime } from '../columns.ts';
import { reportMail } from '../command.ts';
import type { Command, CommandCall } from '../command.ts';

export const transfers: Readonly<Record<string, Command>> = {
  list: {
    reads: true,
    about: 'list waiting transfer requests with the bank accounts, oldest first',
    takesJson: true,
    async run({ context, isJson, print }) {
      const requests = await listTransferRequests(context);
      if (isJson) return print(JSON.stringify(requests, null, 2));
      if (requests.length === 0) return print('No transfer request is waiting.');
      print(
        toColumns(
          [
            'ID',
            'SINCE',
            'YEN',
            'MEMBER',
            'NAME',
            'FURIGANA',
            'BANK',
            'BRANCH',
            'TYPE',
            'ACCOUNT',
            'HELD UNTIL',
          ],
          requests.map((each) => [
            each.id,
            toTime(each.created_at),
            each.amount.toLocaleString('en'),
            each.username,
            each.name || '(missing)',
            each.furigana || '(missing)',
            each.bank_name || '(missing)',
            each.branch_name || '(missing)',
            each.deposit_type || '(missing)',
            each.account_number || '(missing)',
            each.payout_held_until > Date.now() ? toTime(each.payout_held_until) : '',
          ]),
        ),
      );
    },
  },
  pay: {
    target: 'ID',
    about: 'book a request as paid, after the bank transfer',
    run: (call) => decide(call, true),
  },
  refuse: {
    target: 'ID',
    needs: ['reason'],
    about: 'refuse a request and return the yen; the member sees the reason',
    run: (call) => decide(call, false),
  },
};

async function decide(call: CommandCall, isPaid: boolean): Promise<void> {
  const { context, target, reason, print } = call;
  const staff = await call.requireStaff();
  const request = (await listTransferRequests(context)).find(({ id }) => id === target);
  await (isPaid
    ? payTransferRequest(context, target, staff.id)
    : refuseTransferRequest(context, target, staff.id, reason));
  print(`${isPaid ? 'Booked as paid' : 'Refused'}: ${target}.`);
  reportMail(call, request?.email ?? 'the member');
}
