import type { ClientDirective } from 'astro';

/** `client:intent` hydrates an island when someone points at it, touches it, focuses it or presses a button in it. */
const directive: ClientDirective = (load, _options, element) => {
  const types = ['pointerover', 'focusin', 'click'];
  const hydrate = () => {
    for (const type of types) element.removeEventListener(type, hydrate);
    void load().then((start) => start());
  };
  if (element.matches(':hover,:focus-within,:has([aria-busy])')) return hydrate();
  for (const type of types) element.addEventListener(type, hydrate, { passive: true });
};

export default directive;
