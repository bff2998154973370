import { listHostileJpegs } from './hostile-jpegs.ts';
import { listHostilePngs } from './hostile-pngs.ts';
import { listHostileStaffPictures } from './hostile-staff-pictures.ts';

/** A file that is made to cost a decoder much. */
export interface HostilePicture {
  readonly name: string;
  /** The same bytes every time. */
  readonly make: () => Buffer | Promise<Buffer>;
}

/** Files that a member may send, and those that only the staff may send. */
export const listHostilePictures = () => ({
  member: [...listHostilePngs(), ...listHostileJpegs()],
  staff: listHostileStaffPictures(),
});
