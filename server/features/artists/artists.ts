export { announceArtist, announcePicture, announceSound, forgetChanged } from './changes.ts';
export { insertUser, insertUserUnlessTaken } from './queries.ts';
export { findArtist } from './service.ts';
