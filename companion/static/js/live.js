// Keeps an open page up to date: follows the game's revision and fetches the page again when it changed.
// Everything works without this file.
import * as copies from "./copies.js";
import * as queue from "./queue.js";

const POLL = 1500;
const STREAM_TIMEOUT = 40_000; // a stream sends something every 15 seconds
const TIMEOUT = 8000;
const TOLD = 3; // so many entries the line tells of
const NOTICED = 10_000; // so long a notice stays though newer pages come

const box = document.getElementById("live");
const words = box.dataset;
const main = () => document.getElementById("main");
const shown = () => Number(main().dataset.revision);
const isPressed = () => Date.now() - pressedAt < 3000;

let known = shown(); // the revision that is shown, or named in the status line
let newest = known;
let source, watchdog, poller, retry, again, fading;
let told = []; // what came since this page was shown
let lasting = ""; // what the status line goes back to
let streamsFrom = 0;
let wait = 500;
let looks = false; // a night that is over looks for its next game whenever it hears something
let isDown = false;
let isOut = false;
let isRunning = false;
let pressedAt = 0;
let isSending = 0;
const noticedAt = new WeakMap();
let lastHeard = Number(main().dataset.at) * 1000 || Date.now();

// The connection.

async function get(address, headers = {}) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT);
  try {
    const answer = await fetch(address, { headers, signal: abort.signal, cache: "no-cache" });
    if (answer.status >= 502) throw new Error("no answer");
    const text = await answer.text();
    up();
    return { answer, text };
  } catch {
    down();
    return {};
  } finally {
    clearTimeout(timer);
  }
}

function up() {
  lastHeard = Date.now();
  wait = 500;
  if (!isDown) return;
  isDown = false;
  clearTimeout(retry);
  lasting = "";
  say("");
  copies.reconnected();
  queue.flush();
  listen();
}

function down() {
  hangUp();
  if (!isDown) {
    isDown = true;
    const at = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "numeric", minute: "2-digit" });
    lasting = words.offline.replace("{time}", at.format(lastHeard));
    say(lasting, { stay: true });
  }
  clearTimeout(retry);
  wait = Math.min(wait * 2, TIMEOUT);
  if (!document.hidden) retry = setTimeout(ask, wait);
}

function hangUp() {
  source?.close();
  source = undefined;
  clearTimeout(watchdog);
  clearTimeout(poller);
}

function listen() {
  if (document.hidden || isOut || isDown || source) return;
  clearTimeout(poller);
  if (!window.EventSource || Date.now() < streamsFrom) {
    poller = setTimeout(async () => (await ask()) && (hinted(), listen()), POLL);
    return;
  }
  let opened = false;
  source = new EventSource(`${words.game}live`);
  source.onopen = () => (opened = true);
  source.onmessage = (event) => {
    watch();
    up();
    heard(Number(event.data));
  };
  source.addEventListener("gone", leave);
  source.addEventListener("hint", hinted);
  source.onerror = async () => {
    hangUp();
    if (!(await ask())) return; // comes back with `up`
    if (!opened) streamsFrom = Date.now() + 60_000; // no stream gets through here: ask instead
    setTimeout(listen, 500);
  };
  watch();
}

// Another phone may be entering the same (entering.js).
const hinted = () => document.dispatchEvent(new Event("hint"));

function watch() {
  clearTimeout(watchdog);
  watchdog = setTimeout(wake, STREAM_TIMEOUT);
}

// iOS ends the stream of a sleeping page without an event.
function wake() {
  hangUp();
  clearTimeout(retry);
  if (document.hidden || isOut) return;
  ask().then((reached) => reached && listen());
}

function leave() {
  isOut = true;
  hangUp();
  say(words.gone, { stay: true });
}

// What the game is at, and what came since; false where there is no connection.
async function ask() {
  const { answer, text } = await get(`${words.game}revision?seen=${known}`);
  if (!answer) return false;
  if (answer.status === 404 || answer.status === 403) leave();
  else if (answer.ok) {
    const { revision, lines } = JSON.parse(text);
    if (!swaps() && revision !== known) {
      known = newest = revision;
      told = [...told, ...lines].slice(-TOLD);
      if (lines.length) say(told.join(" "), { stay: true, link: words.game, aloud: lines.join(" ") });
    } else heard(revision);
  }
  return true;
}

// The page.

const swaps = () => "swap" in main().dataset && !isTyping();

function heard(revision) {
  newest = revision;
  looks = "awaits" in main().dataset;
  if (looks || revision !== known) catchUp();
}

async function catchUp() {
  clearTimeout(again);
  if (isRunning || isOut || (newest === known && !looks)) return;
  if (isSending || isPressed() || document.querySelector("form[data-sent]")) {
    again = setTimeout(catchUp, 200); // not while a tap is on its way
    return;
  }
  isRunning = true;
  looks = false;
  const reached = await (swaps() ? fetchPage() : ask());
  isRunning = false;
  if (reached && newest !== known) again = setTimeout(catchUp, 300);
}

async function fetchPage() {
  const { answer, text } = await get(location.href, { "X-Seen": known });
  if (!answer) return false;
  if (answer.redirected && new URL(answer.url).pathname !== location.pathname) location.replace(answer.url);
  else if (answer.status === 404 || answer.status === 403) leave();
  else if (answer.status === 409) location.replace(words.game); // no hand in play: nothing to show here
  else if (answer.ok && swaps() && !isPressed() && !isSending) {
    put(new DOMParser().parseFromString(text, "text/html"));
    const lines = JSON.parse(decodeURIComponent(answer.headers.get("X-Since") || "[]"));
    say(lines.join(" "), { quiet: main().querySelector(".last") !== null });
  }
  return true;
}

// A notice goes with the entry it is about, and once it was there to be read.
function isNews(notice, page) {
  const about = notice.dataset.entry;
  if (!about) return true;
  return !(page.dataset.undone ?? "").split(" ").includes(about) && Date.now() - (noticedAt.get(notice) ?? Date.now()) < NOTICED;
}

// Put a newer page in place of this one; scroll position, focus, open details and notices stay.
export function put(page) {
  const old = main();
  const fresh = document.adoptNode(page.getElementById("main"));
  const counterpart = (element) => {
    if (element.id) return fresh.querySelector(`#${CSS.escape(element.id)}`);
    const kind = [element.localName, ...element.classList].map((name) => CSS.escape(name)).join(".");
    return fresh.querySelectorAll(kind)[[...old.querySelectorAll(kind)].indexOf(element)];
  };
  const anchor = [...old.querySelectorAll("[id]")].find((one) => one.getBoundingClientRect().bottom > 0);
  const top = anchor?.getBoundingClientRect().top;
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  const scrolled = [...old.querySelectorAll("*")].filter((one) => one.scrollLeft || one.scrollTop);
  for (const details of old.querySelectorAll("details")) {
    const same = counterpart(details);
    if (same) same.open = details.open;
  }
  fresh.prepend(...[...old.querySelectorAll(":scope > .notice")].filter((notice) => isNews(notice, fresh)));
  const places = scrolled.map((one) => [counterpart(one), one.scrollLeft, one.scrollTop]);
  const next = focus && focus !== old && counterpart(focus);
  old.replaceWith(fresh);
  for (const [one, left, above] of places) one?.scrollTo({ left, top: above, behavior: "instant" });
  if (focus) (next || fresh).focus({ preventScroll: true });
  const moved = anchor && counterpart(anchor);
  if (moved && scrollY > 0) scrollBy({ top: moved.getBoundingClientRect().top - top, behavior: "instant" });
  const title = document.querySelector(".top-title");
  const other = page.querySelector(".top-title");
  if (title && other) title.replaceWith(document.adoptNode(other));
  document.title = page.title;
  window.htmx?.process(fresh);
  changed();
}

function changed() {
  known = shown() || known;
  notice();
  queue.draw();
  copies.keep();
}

function notice() {
  for (const one of main().querySelectorAll(":scope > .notice")) if (!noticedAt.has(one)) noticedAt.set(one, Date.now());
}

const isText = (field) => field.matches("textarea, select, input:not([type=hidden], [type=radio], [type=checkbox])");

// Whether somebody has typed or chosen something that a newer page would take away.
function isTyping() {
  if (main().querySelector("dialog[open]")) return true;
  return [...main().querySelectorAll("input, select, textarea")].some((field) => {
    if (field === document.activeElement && isText(field)) return true;
    if (field.type === "hidden") return false;
    if (field.type === "radio" || field.type === "checkbox") return field.checked !== field.defaultChecked;
    if (field.localName !== "select") return field.value !== field.defaultValue;
    const chosen = [...field.options].findIndex((option) => option.defaultSelected);
    return field.selectedIndex !== Math.max(chosen, 0);
  });
}

// The status line.

// `aloud`: what of it is new to who listens.
function say(text, { stay = false, quiet = false, link = "", aloud = text } = {}) {
  document.getElementById("live-said").textContent = aloud;
  const line = document.getElementById("live-line");
  clearTimeout(fading);
  line.classList.toggle("hidden", quiet);
  line.classList.toggle("live-stays", stay && link !== "");
  line.textContent = text;
  if (text && link) {
    const show = document.createElement("a");
    show.href = link;
    show.textContent = words.show;
    line.append(" ", show);
  }
  if (text && !stay) fading = setTimeout(say, 6000, lasting, { stay: true, aloud: "" });
}

// Events.

addEventListener("pointerdown", () => (pressedAt = Date.now()), true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(() => (pressedAt = 0), 50), true);
document.addEventListener("htmx:beforeSend", () => (isSending += 1));
document.addEventListener("htmx:afterRequest", () => (isSending = Math.max(0, isSending - 1)));
document.addEventListener("htmx:afterSettle", () => {
  changed();
  copies.changedHere();
});

for (const event of ["pageshow", "online"]) addEventListener(event, () => isStarted && wake());
document.addEventListener("visibilitychange", () => isStarted && wake());
addEventListener("offline", () => isStarted && down());
addEventListener("pagehide", hangUp);

const link = { isDown: () => isDown, ask, down, get, put, say, words };
notice();
queue.start(link);
copies.start(link);

// The screen stays on while a game is open, where the browser can; the page More tells of phones that cannot.
let lock;

async function keepAwake() {
  if (document.hidden || (lock && !lock.released)) return;
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch {
    // a phone that saves its battery says no, and may be asked again when the page is seen again
  }
}

function stayAwake() {
  const hint = document.getElementById("awake-hint");
  if (!("wakeLock" in navigator)) {
    if (hint) hint.hidden = false;
    return;
  }
  document.addEventListener("visibilitychange", keepAwake);
  keepAwake();
}

// The server's clock becomes the phone's, where they are in different time zones.
const clock = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

function localise() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    const here = clock.format(new Date(time.dateTime));
    if (time.textContent !== here) time.textContent = here;
  }
}

localise();
new MutationObserver(localise).observe(document.body, { childList: true }); // a newer page takes the place of <main>

// Not before the page is shown.
let isStarted = false;
function start() {
  isStarted = true;
  if (window.htmx) window.htmx.config.timeout = TIMEOUT;
  listen();
  queue.flush();
  copies.keep();
  stayAwake();
}
const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 200));
if (document.readyState === "complete") idle(start);
else addEventListener("load", () => setTimeout(() => idle(start), 300));
