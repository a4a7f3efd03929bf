// Tells the other phones that a hand is being entered here, and shows that another phone is entering it: a hint for a
// minute, never a lock.
const AGAIN = 20_000;
const MINUTE = 60_000;

const line = document.getElementById("entering");
const { address, hand } = line.dataset;
const form = document.querySelector(".count");
let told = -AGAIN;
let again;

function tell() {
  if (performance.now() - told < AGAIN) return;
  told = performance.now();
  const body = new URLSearchParams({ hand, csrf_token: document.querySelector("[name=csrf_token]").value });
  fetch(address, { method: "POST", body, keepalive: true }).catch(() => {}); // no connection: nobody is told
}

async function look() {
  clearTimeout(again);
  try {
    const answer = await fetch(`${address}?hand=${hand}`, { cache: "no-store" });
    if (answer.ok) show((await answer.json()).words);
  } catch {
    // no connection: what was said stays for its minute
  }
}

function show(words) {
  if (line.textContent !== words) line.textContent = words;
  line.hidden = !words;
  if (words) again = setTimeout(look, MINUTE + 1000);
}

for (const event of ["input", "change", "click"]) {
  form?.addEventListener(event, ({ target }) => target.closest("input, select, [data-points]") && tell());
}
document.addEventListener("hint", look);
show(line.textContent.trim());
