import { PAYEE_LENGTH_MAX } from '../../../../contract/payouts/zengin-text.ts';
import { toZenginBytes } from './shift-jis.ts';

/** A bank's branch. Kana are in the characters of a Zengin file; they inform, the codes decide. */
export interface Branch {
  /** Four digits. */
  readonly bankCode: string;
  readonly bankKana: string;
  /** Three digits. */
  readonly branchCode: string;
  readonly branchKana: string;
}

/** The operator's account, from which the bank transfers. */
export interface Consignor extends Branch {
  /** Ten digits, assigned by the bank (委託者コード). */
  readonly code: string;
  readonly name: string;
  readonly depositType: Deposit;
  /** Seven digits. */
  readonly accountNumber: string;
}

export interface Transfer extends Branch {
  readonly depositType: Deposit;
  /** Seven digits. */
  readonly accountNumber: string;
  readonly payee: string;
  readonly amount: number;
}

/** 預金種目 of the Zengin format. */
export const DEPOSITS = { 普通: '1', 当座: '2', 貯蓄: '4' } as const;
export type Deposit = (typeof DEPOSITS)[keyof typeof DEPOSITS];

/** Bytes. */
export const CONSIGNOR_LENGTH_MAX = 40;
const NAME_LENGTH = 15;

/**
 * A file of credit transfers (総合振込) in the format of the Japanese Bankers Association: a header, a record for each
 * transfer, a trailer with number and total, and an end record, each of 120 bytes and CRLF. `transferDate` is MMDD.
 * Throws for a value that does not fit its field.
 */
export function toZenginFile(
  consignor: Consignor,
  transferDate: string,
  transfers: readonly Transfer[],
): Buffer {
  const total = transfers.reduce((sum, { amount }) => sum + amount, 0);
  const header = [
    '1',
    // 21: credit transfers; 0: JIS.
    '21',
    '0',
    digits(consignor.code, 10),
    text(consignor.name, CONSIGNOR_LENGTH_MAX),
    digits(transferDate, 4),
    ...toBranchFields(consignor),
    consignor.depositType,
    digits(consignor.accountNumber, 7),
    text('', 17),
  ];
  const records = transfers.map((transfer) => [
    '2',
    ...toBranchFields(transfer),
    // Clearing house: not used.
    '0000',
    transfer.depositType,
    digits(transfer.accountNumber, 7),
    text(transfer.payee, PAYEE_LENGTH_MAX),
    digits(transfer.amount, 10),
    // New code: none; customer codes: none; 7: transferred by wire; no EDI.
    '0',
    text('', 20),
    '7',
    text('', 8),
  ]);
  const trailer = ['8', digits(transfers.length, 6), digits(total, 12), text('', 101)];
  const lines = [header, ...records, trailer, ['9', text('', 119)]];
  return Buffer.concat(lines.flatMap((fields) => [toZenginBytes(fields.join('')), Buffer.from('\r\n')]));
}

function toBranchFields({ bankCode, bankKana, branchCode, branchKana }: Branch): string[] {
  return [
    digits(bankCode, 4),
    text(bankKana.slice(0, NAME_LENGTH), NAME_LENGTH),
    digits(branchCode, 3),
    text(branchKana.slice(0, NAME_LENGTH), NAME_LENGTH),
  ];
}

/** Right-aligned, filled with zeros. */
function digits(value: string | number, length: number): string {
  const field = String(value).padStart(length, '0');
  if (!/^\d+$/.test(field) || field.length > length) throw new RangeError(`not ${length} digits: ${value}`);
  return field;
}

/** Left-aligned, filled with spaces. */
function text(value: string, length: number): string {
  if (value.length > length) throw new RangeError(`longer than ${length} bytes: ${value}`);
  return value.padEnd(length, ' ');
}
