/** The spec's member flags (spec §3, §4). */
export interface AccountState {
  isVerified: boolean;
  isBlocked: boolean;
  isStaff: boolean;
  /** Quality check. */
  status: '' | 'pending';
  personalInfoStatus: '' | 'pending' | 'confirmed' | 'rejected';
  isPersonalInfoVerified: boolean;
}

export interface DemoAccount {
  email: string;
  username: string;
  state: AccountState;
}

export const DEMO_PASSWORD = 'otoichi-demo';

/** What members entered before they sent their ID. */
export const DEMO_BANK = {
  bank_name: '音の浜信用金庫',
  branch_name: '本店',
  deposit_type: '普通',
  account_number: '1234567',
  phone_number: '090-0000-0000',
};

const newcomer: AccountState = {
  isVerified: false,
  isBlocked: false,
  isStaff: false,
  status: '',
  personalInfoStatus: '',
  isPersonalInfoVerified: false,
};

export const verifiedArtist: AccountState = { ...newcomer, isVerified: true };

/** One log-in for each state; the verified ones are artists of the catalogue. */
export const demoAccounts: readonly DemoAccount[] = [
  { email: 'verified@example.test', username: '凪野ことり', state: verifiedArtist },
  { email: 'unverified@example.test', username: 'はじめの一歩', state: newcomer },
  { email: 'pending@example.test', username: '審査待ちの春', state: { ...newcomer, status: 'pending' } },
  { email: 'pending-2@example.test', username: '紙と鉛筆', state: { ...newcomer, status: 'pending' } },
  { email: 'pending-3@example.test', username: '始発待ち', state: { ...newcomer, status: 'pending' } },
  { email: 'blocked@example.test', username: '白紙', state: { ...verifiedArtist, isBlocked: true } },
  {
    email: 'id-pending@example.test',
    username: '夜更けの卓',
    state: { ...verifiedArtist, personalInfoStatus: 'pending' },
  },
  {
    email: 'id-rejected@example.test',
    username: 'TOBARI',
    state: { ...verifiedArtist, personalInfoStatus: 'rejected' },
  },
  {
    email: 'id-confirmed@example.test',
    username: 'Minamo Works',
    state: { ...verifiedArtist, personalInfoStatus: 'confirmed', isPersonalInfoVerified: true },
  },
  {
    email: 'staff@example.test',
    username: '運営スタッフ',
    state: { ...verifiedArtist, isStaff: true },
  },
];
