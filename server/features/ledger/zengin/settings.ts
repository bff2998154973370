import { toZenginText } from '../../../../contract/payouts/zengin-text.ts';
import { CONSIGNOR_LENGTH_MAX, DEPOSITS } from './format.ts';
import type { Consignor } from './format.ts';

export const CONSIGNOR_DEPOSITS = ['普通', '当座'] as const;

/** The operator's account, by the names of the settings; '' for one that is not set. */
export interface ZenginSettings {
  readonly ZENGIN_CONSIGNOR_CODE: string;
  readonly ZENGIN_CONSIGNOR_NAME: string;
  readonly ZENGIN_BANK_CODE: string;
  readonly ZENGIN_BRANCH_CODE: string;
  readonly ZENGIN_DEPOSIT_TYPE: (typeof CONSIGNOR_DEPOSITS)[number];
  readonly ZENGIN_ACCOUNT_NUMBER: string;
}

/** Whether a Zengin file can have this name of the operator; '' is one that is not set. */
export function isConsignorName(name: string): boolean {
  const text = toZenginText(name);
  return text !== null && text.length <= CONSIGNOR_LENGTH_MAX;
}

/** The names of settings that a Zengin file needs and that are not set. */
export function listMissingSettings(settings: ZenginSettings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => (value === '' ? [name] : []));
}

/** The operator's account without the names of bank and branch. */
export function toConsignor(settings: ZenginSettings): Omit<Consignor, 'bankKana' | 'branchKana'> {
  return {
    code: settings.ZENGIN_CONSIGNOR_CODE,
    name: toZenginText(settings.ZENGIN_CONSIGNOR_NAME) ?? '',
    bankCode: settings.ZENGIN_BANK_CODE,
    branchCode: settings.ZENGIN_BRANCH_CODE,
    depositType: DEPOSITS[settings.ZENGIN_DEPOSIT_TYPE],
    accountNumber: settings.ZENGIN_ACCOUNT_NUMBER,
  };
}
