import {
  TransferAcceptedSchema,
  TransferPageSchema,
  listTransfers,
  requestTransfer,
} from '../../../contract/finance.ts';
import { getStatement } from '../../../contract/statements.ts';
import { byMember, declare } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import type { LedgerOptions } from './options.ts';
import { STATEMENTS, TRANSFER_HISTORY, TRANSFER_REQUESTS, serveFinance } from './routes.ts';

/** Rewards of artists, transfer requests and statements. */
export function createLedgerModule(options: LedgerOptions): Module {
  return {
    name: 'ledger',
    access: [
      declare(
        { ...requestTransfer, reply: TransferAcceptedSchema },
        'member not blocked',
        'own',
        byMember(TRANSFER_REQUESTS),
      ),
      declare({ ...listTransfers, reply: TransferPageSchema }, 'member', 'own', byMember(TRANSFER_HISTORY)),
      declare(getStatement, 'member', 'own', byMember(STATEMENTS)),
    ],
    serve: (api) => serveFinance(api, options),
  };
}
