import { expect } from 'vitest';

/** Expects the status and the JSON of a reply. */
export async function expectReply(
  response: Response | Promise<Response>,
  status: number,
  body: unknown,
): Promise<void> {
  const reply = await response;
  expect([reply.status, await reply.json()]).toEqual([status, body]);
}

/** Expects a refusal whose JSON has a text for each of these fields, and no other. */
export async function expectProblems(
  response: Response | Promise<Response>,
  status: number,
  fields: readonly string[],
): Promise<void> {
  const reply = await response;
  expect([reply.status, Object.keys((await reply.json()) as object)]).toEqual([status, fields]);
}
