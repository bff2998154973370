import type * as v from 'valibot';
import { type ContactSchema, sendContact as sendContactCall } from '../../../contract/contact.ts';
import { callApi } from '../../api/browser.ts';

/** Writes to the operator. Throws `ApiError`. */
export async function sendContact(message: v.InferInput<typeof ContactSchema>): Promise<void> {
  await callApi(sendContactCall, { body: message });
}
