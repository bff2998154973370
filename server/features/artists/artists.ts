export { announceArtist, announcePicture, announceSound } from './changes.ts';
export { insertUser, insertUserUnlessTaken } from './queries.ts';
export { findArtist } from './service.ts';
