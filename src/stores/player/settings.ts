import { $isLevelled, $isLooping, $volume, VOLUME_STEP } from './state.ts';

export function setVolume(volume: number): void {
  $volume.set(Math.round(Math.min(1, Math.max(0, volume)) * 100) / 100);
}

/** Changes the volume by one step. */
export function stepVolume(direction: 1 | -1): void {
  setVolume($volume.get() + direction * VOLUME_STEP);
}

export function toggleLevel(): void {
  $isLevelled.set(!$isLevelled.get());
}

export function toggleLoop(): void {
  $isLooping.set(!$isLooping.get());
}
