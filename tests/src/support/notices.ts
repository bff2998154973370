import type { Notice } from '#contract/downloads/ads.ts';

/** A notice of the operator. */
export const NOTICE: Notice = {
  id: 'spring',
  kind: 'picture',
  url: '/notice/spring.png',
  text: '春の市',
  captions: null,
  link: null,
  seconds: 5,
};
