export { announceArtist, announcePages, announcePicture, announceSounds, forgetChanged } from './changes.ts';
export { insertUser, insertUserUnlessTaken } from './queries.ts';
export { findArtist, findArtistSubject } from './service.ts';
