import type { Endpoint } from '../../../contract/endpoint.ts';
import type { Api, Caller } from './context.ts';
import { withForm } from './form.ts';
import type { Form } from './form.ts';
import { requireMember, serveVisits } from './serve.ts';
import type { ReplyOf, Visit } from './serve.ts';

/** Concurrent forms with files, per member and path; our own client sends no more. Their files are on disk. */
const FORMS_AT_ONCE = 2;

export interface FormCall<E> extends Visit<E> {
  readonly caller: Caller;
  readonly form: Form;
}

/** Checks that run before the body of a form is read. */
export interface FormRules {
  /** Throws `Problem` if the caller may not send this form now. */
  readonly admit?: (
    caller: Caller,
    request: Request,
    params: Readonly<Record<string, string>>,
  ) => Promise<void>;
  /** Files are encrypted while they are on disk. */
  readonly areFilesSealed?: boolean;
}

/** Serves an endpoint with a form, for members; otherwise like `serve`. */
export function serveForm<const E extends Endpoint>(
  api: Api,
  endpoint: E,
  { admit, areFilesSealed = false }: FormRules,
  answer: (call: FormCall<E>) => Promise<ReplyOf<E>>,
): void {
  const { rateLimits, temporaryFiles } = api.platform;
  const { form: shape } = endpoint;
  if (shape === undefined) throw new Error(`${endpoint.path} has no form`);
  serveVisits(api, endpoint, async (visit) => {
    const caller = requireMember(visit);
    await admit?.(caller, visit.context.req.raw, visit.params);
    const acquireSlot = () =>
      rateLimits.acquire({ name: endpoint.path, concurrency: FORMS_AT_ONCE }, caller.id);
    const room = { temporaryFiles, areSealed: areFilesSealed, acquireSlot };
    return withForm(visit.context.req.raw, shape, room, (form) => answer({ ...visit, caller, form }));
  });
}
