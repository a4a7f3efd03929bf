// What was typed in a form stays on this phone until it landed, was cleared, or what it was about is gone. The line
// `.draft` of a form names what it is about: game, page and entry. Without this file nothing typed is kept.
const PREFIX = "draft ";
const MOST = 50;
const KEPT = 30 * 24 * 60 * 60 * 1000;
const NEVER = /^(hidden|submit|button|image|reset|password|file|fieldset|output)$/;

const met = new WeakSet();
const left = new WeakSet(); // forms on their way to the server
let isFilling = false;

const text = (element) => element?.textContent.replace(/\s+/g, " ").trim() ?? "";
const ticks = (field) => field.type === "radio" || field.type === "checkbox";
const formOf = (line) => line.closest("form");
const fieldsOf = (form) => [...form.elements].filter((field) => field.name && !NEVER.test(field.type));
const lines = () => document.querySelectorAll(".draft");
const addressOf = ({ dataset }) => (dataset.at === "here" ? location.pathname + location.search : dataset.at);

function isChanged(field) {
  if (ticks(field)) return field.checked !== field.defaultChecked;
  if (field.localName !== "select") return field.value !== field.defaultValue;
  return field.selectedIndex !== Math.max([...field.options].findIndex((option) => option.defaultSelected), 0);
}

// The drafts of this phone.

const keys = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
const remove = (key) => localStorage.removeItem(PREFIX + key);

function load(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key));
  } catch {
    return null;
  }
}

function store(key, draft) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(draft));
  } catch {
    // no room: it stays as long as the page is open
  }
}

function tidy() {
  const age = (key) => Date.now() - (load(key)?.at ?? 0);
  const byAge = keys().sort((one, other) => age(one) - age(other));
  byAge.forEach((key, rank) => (rank >= MOST || age(key) > KEPT) && remove(key));
}

// The server names in a cookie which drafts have landed.
function forgetLanded() {
  const landed = /(?:^|; )landed="?([^;"]+)/.exec(document.cookie);
  if (!landed) return;
  landed[1].split("|").forEach(remove);
  document.cookie = "landed=; Max-Age=0; Path=/; SameSite=Lax";
}

// One form.

function said(field) {
  const label = field.getAttribute("aria-label") ?? text(field.labels[0]);
  const words = ticks(field) ? [text(field.closest("fieldset")?.querySelector("legend")), label] : [label, field.localName === "select" ? text(field.selectedOptions[0]) : field.value];
  return words.filter(Boolean).join(": ");
}

// Only what was changed: what others enter meanwhile (who floats, say) must not be taken back by it.
function save(line, sent = false) {
  const { draft: key, typed } = line.dataset;
  const all = fieldsOf(formOf(line));
  const changed = all.filter(isChanged);
  const unseen = [...formOf(line).querySelectorAll("[data-kept]")].map(({ name, value, dataset }) => [name, value, JSON.parse(dataset.kept)]);
  if (typed === undefined && !changed.length && !unseen.length) {
    remove(key);
    line.hidden = true;
    return;
  }
  const names = new Set(changed.filter((field) => !ticks(field)).map((field) => field.name));
  const kept = all.filter((field) => typed !== undefined || isChanged(field) || (!ticks(field) && names.has(field.name)));
  const place = (field) => all.filter((one) => one.name === field.name).indexOf(field);
  store(key, {
    at: Date.now(),
    sent,
    title: text(document.querySelector("h1")),
    address: addressOf(line),
    asks: "asks" in line.dataset,
    fields: [...kept.map((field) => [field.name, field.value, ticks(field) ? field.checked : place(field)]), ...unseen],
    words: kept.filter((field) => (ticks(field) ? field.checked : field.value)).map(said),
  });
}

// An answer to what is not asked before the form is sent once more goes with it.
function keepUnseen(form, name, value, where) {
  if ([...form.querySelectorAll("[data-kept]")].some((one) => one.name === name)) return;
  const kept = Object.assign(document.createElement("input"), { type: "hidden", name, value });
  kept.dataset.kept = JSON.stringify(where);
  form.append(kept);
}

function put(form, { fields }) {
  for (const [name, value, where] of fields) {
    const same = fieldsOf(form).filter((field) => field.name === name);
    const field = typeof where === "boolean" ? same.find((one) => one.value === value) : same[where];
    if (!same.length && where !== false && form.querySelector("[data-keeps]")) keepUnseen(form, name, value, where);
    if (!field || (field.localName === "select" && ![...field.options].some((option) => option.value === value))) continue;
    if (typeof where === "boolean") field.checked = where;
    else field.value = value;
    if (!isChanged(field)) continue;
    for (let details = field.closest("details"); details; details = details.parentElement.closest("details")) details.open = true;
  }
  for (const field of fieldsOf(form)) field.dispatchEvent(new Event("input", { bubbles: true })); // sums, chairs, chips
}

// Twice: the first time may make what the second fills in (the chairs among which a dealer is chosen).
function fill(line, draft) {
  const form = formOf(line);
  isFilling = true;
  form.dispatchEvent(new CustomEvent("draft", { detail: draft.fields })); // rows that a script adds
  put(form, draft);
  put(form, draft);
  isFilling = false;
  line.hidden = false;
}

function meet(line, isFirst) {
  met.add(line);
  const { draft: key, typed, instead } = line.dataset;
  const draft = load(key);
  const was = draft ?? load(instead);
  if (instead) remove(instead);
  // A page that shows what was sent has it, unless something was typed since; one opened by its address is no draft.
  const isStep = line.dataset.at === "here" && (!isFirst || performance.getEntriesByType("navigation")[0]?.type === "navigate");
  if (typed !== undefined && (was ? was.sent : isStep)) return save(line, true);
  if (!draft) return delete line.dataset.typed; // it landed, or was cleared
  if (typed === undefined && draft.address && draft.address !== addressOf(line) && !("stays" in line.dataset)) return location.replace(draft.address);
  return fill(line, draft);
}

function clear(line) {
  const form = formOf(line);
  const isElsewhere = line.dataset.typed !== undefined || line.dataset.at === "here";
  remove(line.dataset.draft);
  delete line.dataset.typed;
  left.add(form);
  if (isElsewhere) return location.assign(line.dataset.clean);
  isFilling = true;
  for (const kept of form.querySelectorAll("[data-kept]")) kept.remove();
  form.reset();
  for (const field of fieldsOf(form)) field.dispatchEvent(new Event("input", { bubbles: true }));
  isFilling = false;
  left.delete(form);
  line.hidden = true;
  return document.getElementById("main").focus();
}

// What was typed about something that is no more is shown on any page of its game.
function showGone() {
  const main = document.getElementById("main");
  const template = document.getElementById("draft-gone");
  if (!template || main.dataset.alive === undefined) return;
  const scope = `${main.dataset.scope}/`;
  const alive = main.dataset.alive.split(" ");
  for (const key of keys()) {
    const about = key.slice(scope.length);
    const draft = load(key);
    if (!key.startsWith(scope) || !draft || alive.some((one) => about === one || about.startsWith(`${one}.`) || about.startsWith(`${one}/`))) continue;
    if (draft.asks && draft.sent) {
      remove(key); // it was answered
      continue;
    }
    if (document.querySelector(`[data-lost="${CSS.escape(key)}"]`)) continue;
    const notice = template.content.firstElementChild.cloneNode(true);
    notice.dataset.lost = key;
    notice.querySelector("strong").textContent = draft.title;
    notice.querySelector("ul").replaceChildren(...draft.words.map((words) => Object.assign(document.createElement("li"), { textContent: words })));
    main.prepend(notice);
  }
}

let isFirst = true;
function look() {
  forgetLanded();
  for (const line of lines()) if (!met.has(line)) meet(line, isFirst);
  isFirst = false;
  showGone();
}

function changed(event) {
  if (isFilling) return;
  const form = event.target.form ?? event.target.closest?.("form");
  if (event.type !== "click") left.delete(form);
  for (const line of lines()) if (formOf(line) === form && !left.has(form)) save(line);
}

function keepAll() {
  for (const line of lines()) {
    const form = formOf(line);
    if (!left.has(form) && (line.dataset.typed !== undefined || fieldsOf(form).some(isChanged))) save(line, load(line.dataset.draft)?.sent);
  }
}

function start() {
  tidy();
  look();
  // Without scripts a language is chosen by the form itself; here the draft keeps what was typed.
  for (const button of document.querySelectorAll(".languages [form]")) {
    button.removeAttribute("form");
    button.name = "language";
  }
  document.addEventListener("input", changed);
  document.addEventListener("change", changed);
  document.addEventListener("click", (event) => {
    const line = event.target.closest(".draft button")?.closest(".draft");
    if (line) return clear(line);
    const gone = event.target.closest("[data-lost] button")?.closest("[data-lost]");
    if (!gone) return setTimeout(changed, 0, event); // keys of a pad, chairs
    remove(gone.dataset.lost);
    return gone.remove();
  });
  const leave = (form) => {
    const line = [...lines()].find((one) => formOf(one) === form);
    if (!line) return;
    if (load(line.dataset.draft) || line.dataset.typed !== undefined) save(line, true);
    left.add(form);
  };
  document.addEventListener("submit", (event) => event.defaultPrevented || leave(event.target));
  // A form that htmx posts: its answer, not the draft, is what goes on.
  document.addEventListener("htmx:beforeRequest", ({ target }) => target.method === "post" && leave(target));
  addEventListener("pagehide", keepAll);
  document.addEventListener("visibilitychange", () => document.hidden && keepAll());
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    look();
    for (const line of lines()) {
      const draft = load(line.dataset.draft);
      left.delete(formOf(line));
      if (draft) fill(line, draft);
      else if (line.dataset.typed !== undefined || fieldsOf(formOf(line)).some(isChanged)) {
        left.add(formOf(line)); // it landed: leaving the page must not keep it again
        location.replace(location.href); // a reload would fill in what was there
      }
    }
  });
  new MutationObserver(look).observe(document.body, { childList: true }); // a newer page takes the place of <main>
}

let mayKeep = true;
try {
  keys();
} catch {
  mayKeep = false; // the browser keeps nothing for this address
}
if (mayKeep) start();
