import type { FactCount } from '../../contract/sounds/fact-counts.ts';
import { formatCount } from '../lib/format.ts';
import { escapeXml } from './xml.ts';

/** A filter that a link sets or removes. */
export interface Chip {
  readonly id: string;
  readonly href: string;
  readonly isOn: boolean;
  readonly label: string;
  /** Spoken in place of the label. */
  readonly spoken?: string;
  /** How many sounds it would leave; undefined if the host has not counted it. */
  readonly count?: string | undefined;
}

/** The list items of chips. A listing has more than a hundred, so they are plain text instead of components. */
export function toChips(chips: readonly Chip[]): string {
  let html = '';
  for (const { id, href, isOn, label, spoken, count } of chips) {
    const isEmpty = !isOn && count === '0';
    html += `<li><a id="${escapeXml(id)}" class="chip${isEmpty ? ' chip-none' : ''}" href="${escapeXml(href)}"`;
    if (isOn) html += ' aria-current="true"';
    if (spoken !== undefined) html += ` aria-label="${escapeXml(spoken)}"`;
    html += ` rel="nofollow">${escapeXml(label)}`;
    if (!isOn && count !== undefined) html += `<span class="chip-count">${count}</span>`;
    html += '</a></li>';
  }
  return html;
}

/** Formats the number of a filter's value: `83`, or `1,000+`; undefined if the host has not counted it. */
export type FormatFactCount = (filter: string, value: string) => string | undefined;

export function createFactCounts(counts: readonly FactCount[]): FormatFactCount {
  const byValue = new Map(counts.map((each) => [`${each.filter} ${each.value}`, each]));
  return (filter, value) => {
    const found = byValue.get(`${filter} ${value}`);
    return found && `${formatCount(found.count)}${found.is_capped ? '+' : ''}`;
  };
}
