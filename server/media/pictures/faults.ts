export type PictureFault = 'bytes' | 'type' | 'pixels' | 'memory' | 'effort' | 'animated' | 'broken';

/** The bytes are not an accepted picture; the message is for logs, not for people. */
export class UnusablePictureError extends Error {
  override readonly name = 'UnusablePictureError';
  readonly fault: PictureFault;

  constructor(fault: PictureFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** For checks that end with an error: throws unless `isRight`. */
export function ensure(isRight: boolean, message: string, fault: PictureFault = 'broken'): asserts isRight {
  if (!isRight) throw new UnusablePictureError(fault, message);
}
