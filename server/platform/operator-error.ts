/**
 * What the operator has to change or repair. The message is one sentence that says so, and is shown without a stack trace,
 * by the start and by the commands. Errors of this kind are subclasses where callers tell them apart.
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}
