export { announceArtist, announcePicture, announceSounds, forgetChanged } from './changes.ts';
export { findUsername, insertUser, insertUserUnlessTaken } from './queries.ts';
export { findArtist } from './service.ts';
