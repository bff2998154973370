/** 320 kbit/s at 44.1 kHz, stereo, silent. */
const FRAME_BYTES = 1_044;

/** An MP3 of about the given size; `variant` makes it unique. */
export function makeLongMp3(bytes: number, variant: number): Buffer {
  const frames = Math.floor(bytes / FRAME_BYTES);
  const mp3 = Buffer.alloc(frames * FRAME_BYTES);
  for (let frame = 0; frame < frames; frame += 1) mp3.set([0xff, 0xfb, 0xe0, 0x04], frame * FRAME_BYTES);
  mp3.writeUInt32BE(variant, FRAME_BYTES - 4); // after the decoded part
  return mp3;
}
