// @vitest-environment happy-dom
import { act } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, it, onTestFinished, vi } from 'vitest';
import { StatisticsView } from '#src/islands/statistics/StatisticsView.tsx';

it('offers the months of the reader’s clock, also when the page was rendered in another month', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ now: Date.UTC(2026, 3, 30), toFake: ['Date'] });
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = renderToString(<StatisticsView />);
  vi.setSystemTime(Date.UTC(2026, 4, 2));
  const onRecoverableError = vi.fn();
  const root = await act(() => hydrateRoot(container, <StatisticsView />, { onRecoverableError }));
  onTestFinished(() => act(() => root.unmount()));
  expect(onRecoverableError).not.toHaveBeenCalled();
  const options = [...container.querySelectorAll('option')].map(({ textContent }) => textContent);
  expect(options.slice(0, 4)).toEqual(['直近30日', '直近12か月', '2026年5月', '2026年4月']);
});
