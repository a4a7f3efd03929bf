// Keeps the screen on while a game is open, where the browser can; the settings page of the phone is told of elsewhere.
let lock;

async function ask() {
  if (document.hidden || (lock && !lock.released)) return;
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch {
    // a phone that saves its battery says no, and may be asked again when the page is seen again
  }
}

export function start() {
  const hint = document.getElementById("awake-hint");
  if (!("wakeLock" in navigator)) {
    if (hint) hint.hidden = false;
    return;
  }
  document.addEventListener("visibilitychange", ask);
  ask();
}
