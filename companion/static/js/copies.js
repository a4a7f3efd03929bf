// Copies of the table, the sheet of discards and the scores, to look at without a connection.
const PREFIX = "copy ";
const IDLE = 5000; // so long after the last change of the page
let link, timer;
let isCopy = false;
let isNewHere = false;

const tabs = () => [...document.querySelectorAll(".tabs a")];
const pages = () => tabs().slice(0, 3).map((tab) => tab.pathname);

function store(path, page) {
  const sheets = [...page.querySelectorAll("link[rel=stylesheet]")].map((sheet) => sheet.getAttribute("href"));
  const copy = { main: page.getElementById("main").outerHTML, title: page.title, sheets };
  try {
    localStorage.setItem(PREFIX + path, JSON.stringify(copy));
  } catch {
    // no room, or none allowed: then there is no copy
  }
}

function load(path) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + path));
  } catch {
    return null;
  }
}

// The other pages are fetched again only when this changed.
const fingerprint = () =>
  document.title + [...document.querySelectorAll(".player-melds, .button-on, .player-total")].map((one) => one.textContent).join("|");

// Keep this page as it is now, and soon the others, if what they show has changed.
export function keep() {
  if (link.isDown() || isCopy) return;
  if (pages().includes(location.pathname) && !location.search) store(location.pathname, document);
  clearTimeout(timer);
  timer = setTimeout(keepOthers, IDLE);
}

// This phone changed the page itself: the service worker has not seen it yet.
export function changedHere() {
  isNewHere = Boolean(navigator.serviceWorker?.controller);
}

const fetchPage = (path) => link.get(path, { "X-Seen": document.getElementById("main").dataset.revision });

async function keepOthers() {
  if (isNewHere) await fetchPage(location.pathname);
  isNewHere = false;
  const others = pages().filter((path) => path !== location.pathname);
  const isTable = location.pathname === link.words.game;
  const key = `${PREFIX}sign ${link.words.game}`;
  const now = fingerprint();
  try {
    if (others.every(load) && (!isTable || localStorage.getItem(key) === now)) return;
    if (isTable) localStorage.setItem(key, now);
  } catch {
    return;
  }
  for (const path of others) {
    const { answer, text } = await fetchPage(path);
    if (!answer) return;
    if (!answer.ok || answer.redirected) {
      localStorage.removeItem(PREFIX + path);
      continue;
    }
    const page = new DOMParser().parseFromString(text, "text/html");
    store(path, page);
    for (const sheet of page.querySelectorAll("link[rel=stylesheet]")) fetch(sheet.getAttribute("href")).catch(() => {});
  }
}

function show(path) {
  const copy = load(path);
  if (!copy) return false;
  for (const sheet of copy.sheets) {
    if (document.querySelector(`link[href="${CSS.escape(sheet)}"]`)) continue;
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: sheet }));
  }
  isCopy = true;
  const page = new DOMParser().parseFromString(copy.main, "text/html");
  page.title = copy.title;
  link.put(page);
  for (const tab of tabs()) tab.toggleAttribute("aria-current", false);
  tabs().find((tab) => tab.pathname === path)?.setAttribute("aria-current", "page");
  scrollTo(0, 0);
  return true;
}

// Copies are made again.
export function reconnected() {
  isCopy = false;
}

function forget() {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX) && !key.includes(link.words.game)) localStorage.removeItem(key);
    }
  } catch {
    // nothing was kept
  }
}

export function start(given) {
  link = given;
  forget();
  // In the capture phase, before htmx takes the tap.
  document.addEventListener("click", (event) => {
    const tapped = event.target.closest("a[href]");
    if (!tapped || !link.isDown() || tapped.origin !== location.origin || tapped.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (tapped.matches(".pad-key")) link.say(tapped.getAttribute("aria-label"));
    else if (!tapped.search && show(tapped.pathname)) history.pushState(null, "", tapped.pathname);
    else {
      link.say(link.words.closed);
      link.ask().then((reached) => reached && location.assign(tapped.href)); // the server may be back already
    }
  }, true);
  addEventListener("popstate", () => {
    if (!link.isDown()) location.reload();
    else if (!show(location.pathname)) link.say(link.words.closed);
  });
}
