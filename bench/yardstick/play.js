let audio, current;
function show(button, isOn) {
  if (!button) return;
  button.classList.toggle('on', isOn);
  button.setAttribute('aria-label', button.dataset.label + (isOn ? 'を一時停止' : 'を再生'));
  button.querySelector('use').setAttribute('href', isOn ? '#pause' : '#play');
}
document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-play]');
  if (!button) return;
  if (!audio) {
    audio = new Audio();
    audio.onplay = () => show(current, true);
    audio.onpause = () => show(current, false);
  }
  if (button === current && !audio.paused) return audio.pause();
  if (button !== current) {
    show(current, false);
    current = button;
    audio.src = button.dataset.play;
  }
  show(button, true);
  audio.play().catch(() => show(button, false));
});
