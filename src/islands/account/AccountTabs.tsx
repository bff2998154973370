interface AccountTabsProps {
  current: 'login' | 'register';
  /** The operator can close registration (spec §2). */
  canRegister: boolean;
}

const TABS = [
  { key: 'login', href: '/login', label: 'ログイン' },
  { key: 'register', href: '/register', label: '新規登録' },
] as const;

/** Log-in and registration: links, because each is a separate page. */
export function AccountTabs({ current, canRegister }: AccountTabsProps) {
  const tabs = TABS.filter(({ key }) => key !== 'register' || canRegister);
  return (
    <nav aria-label="ログインと新規登録">
      <ul className="tabs form-tabs">
        {tabs.map(({ key, href, label }) => (
          <li key={key} className="flex-1">
            <a
              className="tab -mb-px grid min-h-14 place-items-center"
              href={href}
              aria-current={key === current ? 'page' : undefined}
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
