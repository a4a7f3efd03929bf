// Taps made without a connection wait on this phone and are sent once, in order, when it is back.
const OPPOSITE = { buy: "unbuy", unbuy: "buy", float: "unfloat", unfloat: "float" };
let link, key;
let inMemory = []; // where the browser stores nothing
let sending; // the id of what is on its way
let isRunning = false;
let later;
const LATER = 5000;

function load() {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? inMemory;
  } catch {
    return inMemory;
  }
}

function save(items) {
  inMemory = items;
  try {
    if (items.length) localStorage.setItem(key, JSON.stringify(items));
    else localStorage.removeItem(key);
  } catch {
    // then it waits as long as the page is open
  }
  draw();
}

// `buy.2.1` is seat 2's first buy.
const parts = (tap) => {
  const [what, seat, nth] = tap.split(".");
  return { what, seat, nth: Number(nth) };
};
const waits = (item) => !item.why && item.id !== sending;
const waitingFor = (items, what, seat) => items.filter((item) => !item.why && item.what === what && item.seat === seat);

// Let a tap wait, with all its form sends.
function add(label, action, fields) {
  const items = load();
  let { what, seat, nth } = parts(fields.do);
  const undone = items.findLastIndex((item) => waits(item) && item.what === OPPOSITE[what] && item.seat === seat);
  if (undone >= 0) return save(items.filter((_, index) => index !== undone)); // taken back before it was sent
  if (what === "undo" || what === "redo") {
    if (items.some(waits)) return link.say(link.words.first);
  } else if (nth) nth += waitingFor(items, what, seat).length * (what === "unbuy" ? -1 : 1);
  const tap = nth ? `${what}.${seat}.${nth}` : fields.do;
  if (nth === 0 || items.some((item) => !item.why && item.fields.do === tap && item.fields.token === fields.token)) return undefined;
  return save([...items, { id: `${fields.token}-${tap}`, label, action, what, seat, fields: { ...fields, do: tap } }]);
}

const without = (id) => load().filter((item) => item.id !== id);

// Send what waits, in order. What is no longer possible stays, with the reason.
export async function flush() {
  if (isRunning || !load().some(waits)) return;
  isRunning = true;
  let landed = 0;
  for (let item; (item = load().find(waits)); ) {
    sending = item.id;
    draw();
    const why = await post(item);
    sending = undefined;
    if (why === null) break;
    if (why === "") landed += 1;
    save(why === "" ? without(item.id) : load().map((one) => (one.id === item.id ? { ...one, why } : one)));
  }
  isRunning = false;
  draw();
  if (landed) link.ask();
  clearTimeout(later);
  if (load().some(waits) && !link.isDown()) later = setTimeout(flush, LATER); // the server was there, but busy
}

// "": it was entered; null: no answer; else why it was not entered.
async function post(item, isFresh = false) {
  const body = new URLSearchParams(item.fields);
  if (isFresh) body.set("csrf_token", await freshKey());
  let answer, text;
  try {
    answer = await fetch(item.action, { method: "POST", body });
    text = await answer.text();
  } catch {
    link.down();
    return null;
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  if (answer.ok) return page.querySelector(".notice-bad")?.textContent.trim() ?? ""; // the night was over: its end says why not
  if (answer.status === 400 && !isFresh) return post(item, true); // a page from before the cookie was lost
  if (answer.status >= 500) return null;
  if (answer.status === 403 || answer.status === 404) return link.words.gone;
  return reason(page) || link.words.refused;
}

async function freshKey() {
  const { text } = await link.get(link.words.game);
  const page = new DOMParser().parseFromString(text ?? "", "text/html");
  return page.querySelector("[name=csrf_token]")?.value ?? "";
}

function reason(page) {
  const refused = page.getElementById("refused");
  for (const part of refused?.querySelectorAll("small, [aria-hidden]") ?? []) part.remove();
  return [...(refused?.querySelectorAll("h2, li") ?? [])].map((part) => part.textContent.replace(/\s+/g, " ").trim()).join(" ");
}

// What waits is shown above the tabs, and the buys that wait in their row.
export function draw() {
  const items = load();
  const section = document.getElementById("waiting");
  const focus = section.contains(document.activeElement);
  section.hidden = items.length === 0;
  section.querySelector("ul").replaceChildren(...items.map(line));
  if (focus) (section.querySelector("button") ?? document.getElementById("main")).focus({ preventScroll: true });
  for (const pip of document.querySelectorAll(".pip-waits")) pip.classList.remove("pip-waits");
  for (const button of document.querySelectorAll("button.pips")) {
    const count = waitingFor(items, "buy", parts(button.value).seat).length;
    for (const pip of [...button.querySelectorAll("i:not(.used)")].slice(0, count)) pip.classList.add("pip-waits");
  }
}

function line(item) {
  const row = document.createElement("li");
  const text = document.createElement("span");
  text.textContent = item.why ? `${item.label}: ${item.why}` : item.label;
  row.append(text);
  row.classList.toggle("waiting-refused", Boolean(item.why));
  if (item.id === sending) return row;
  const remove = document.createElement("button");
  remove.type = "button";
  remove.className = "icon-button";
  remove.textContent = "✕";
  remove.setAttribute("aria-label", (item.why ? link.words.away : link.words.back).replace("{what}", item.label));
  remove.addEventListener("click", () => save(without(item.id)));
  row.append(remove);
  return row;
}

// "Ana buys: 2 buys left" without the state: "Ana buys".
function labelOf(button) {
  const words = button?.getAttribute("aria-label") ?? button?.textContent.replace(/\s+/g, " ").trim() ?? "";
  return button?.id === "undo" || button?.id === "redo" ? words : words.replace(/: [^:]*$/, "");
}

const unlock = (form) => delete form.dataset.sent;

function queueInstead(event) {
  const { elt, requestConfig } = event.detail;
  const fields = Object.fromEntries(requestConfig.formData.entries());
  if (requestConfig.verb !== "post") return;
  event.preventDefault();
  unlock(elt);
  if (!fields.do || !fields.token) link.say(link.words.kept);
  else add(labelOf(requestConfig.triggeringEvent?.submitter), requestConfig.path, fields);
}

export function start(given) {
  link = given;
  key = `waiting ${link.words.game}`;
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (link.isDown() || (event.detail.requestConfig.formData.get("do") && load().some((item) => !item.why))) queueInstead(event);
  });
  for (const failure of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(failure, (event) => {
      queueInstead(event);
      link.down();
    });
  }
  // Any other form keeps what was typed, and goes at once where the server is back already.
  document.addEventListener("submit", (event) => {
    if (event.target.hasAttribute("hx-post") || !link.isDown()) return;
    event.preventDefault();
    const { target: form, submitter } = event;
    unlock(form);
    const fields = Object.fromEntries(new FormData(form, submitter));
    if (fields.do && fields.token && !fields.draft) return add(submitter.textContent.trim(), form.action, fields);
    link.say(link.words.kept);
    return link.ask().then((reached) => reached && form.isConnected && form.requestSubmit(submitter));
  }, true);
  addEventListener("storage", (event) => event.key === key && draw());
  draw();
}
