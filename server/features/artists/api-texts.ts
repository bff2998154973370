import { ArtistCardSchema, ArtistSchema } from '../../../contract/artists/artists.ts';
import { CAUSES } from '../api-docs/call-text.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { integer, picture, reply, text, time } from '../api-docs/field.ts';

/** What a member edits and others see. */
export const PUBLIC_FIELDS = {
  username: text('ユーザー名', 'kazami'),
  bio: text('自己紹介', '環境音を録っています。'),
  donation_url: text('支援のページのアドレス。空のことがある', 'https://ofuse.me/kazami', {
    format: 'uri-reference',
  }),
};

/** Members as others see them. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'artists', title: 'アーティスト', position: 5 },
  calls: {
    'GET /api/account/artists/': {
      id: 'listArtists',
      summary: '注目のアーティスト',
      isExtension: true,
    },
    'GET /api/account/artist/{username}/': {
      id: 'getArtist',
      summary: 'アーティストの公開プロフィール',
      description:
        '以前のユーザー名では、現在の名前のプロフィールを返します。メッセージの宛先は伏せ字になります。',
      refusals: { 404: CAUSES.noArtist },
      fields: { username: text('ユーザー名', 'kazami') },
    },
  },
  components: {
    Artist: reply('公開プロフィール', ArtistSchema, {
      id: text('会員のid', 'NNmoXW1bOQyBLwPN'),
      username: PUBLIC_FIELDS.username,
      bio: PUBLIC_FIELDS.bio,
      profile_picture: picture('プロフィール画像'),
      profile_background: picture('背景の画像'),
      message_email: text('メッセージの宛先（伏せ字）。空のときは受け付けない', '•••@…'),
      donation_url: PUBLIC_FIELDS.donation_url,
      sound_count: integer('公開中のサウンドの数', 12),
      total_download_balance: integer('ダウンロードの総数。このホストは送らない', 128),
      joined_at: time('登録した日時'),
      share_picture_url: text(
        'リンクを共有するときの画像（1200×630）',
        '/media/share/artist/kazami/k3Jx9_.jpg',
        {
          format: 'uri-reference',
        },
      ),
    }),
    ArtistCard: reply('注目のアーティスト', ArtistCardSchema, {
      username: PUBLIC_FIELDS.username,
      bio: PUBLIC_FIELDS.bio,
      profile_picture: picture('プロフィール画像'),
      sound_count: integer('公開中のサウンドの数', 12),
    }),
  },
};
