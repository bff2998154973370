/** The faults of `examples.ts`. */

export function readNested(input: Buffer): void {
  if (input[3] !== 0xff) return;
  if (input[5] !== 0x07) return;
  if (input[9] !== 0x80) return;
  const names = new Map<number, string>();
  throw new RangeError((names.get(0) as string).trim());
}

/** Takes 100 ms of processor time for an input that has become long. */
export function workLong(input: Buffer): void {
  const before = process.threadCpuUsage();
  while (input.byteLength > 4_096 && process.threadCpuUsage(before).user < 100_000);
}

export function doubleOften(input: Buffer): number {
  return input.includes('box') ? input.byteLength * 8 : input.byteLength;
}

export function failLater(input: Buffer): void {
  if (input.includes('FUZZ')) setImmediate(() => fail());
}

function fail(): never {
  throw new Error('too late');
}
