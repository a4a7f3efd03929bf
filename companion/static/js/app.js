// Everything works without this file; it only spares a second tap.

// In the capture phase, before htmx takes the form.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (form.dataset.sent) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  form.dataset.sent = "yes";
}, true);

// A page taken from the browser's back/forward cache, or one whose answer never came, may be sent again.
function unlock() {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
}
addEventListener("pageshow", unlock);
document.addEventListener("htmx:afterRequest", unlock);

// What was refused for its token alone (the browser had lost the cookie) is in the answer with a new one: sent again, once.
function sendAgain(page) {
  const form = page.querySelector("form[data-again]");
  if (!form) return false;
  document.body.append(document.adoptNode(form));
  HTMLFormElement.prototype.submit.call(form);
  return true;
}
sendAgain(document);

// An answer from another page (the night ended meanwhile, say) is gone to, not put into this one.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, pathInfo } = event.detail;
  if (xhr.status === 400 && sendAgain(new DOMParser().parseFromString(xhr.responseText, "text/html"))) {
    event.detail.shouldSwap = false;
    return;
  }
  const landed = xhr.responseURL && new URL(xhr.responseURL).pathname;
  if (!landed || landed === location.pathname || landed === pathInfo.requestPath.split("?")[0]) return;
  event.detail.shouldSwap = false;
  location.assign(xhr.responseURL);
});

// A refusal is seen whole: not off the screen, nor under what is fixed at its foot.
function showRefusal() {
  const refused = document.querySelector("main [role=alert], main .field-error");
  if (!refused) return;
  const fixed = [...document.querySelectorAll(".tabs, #waiting")].map((one) => one.getBoundingClientRect());
  const isFoot = (box) => box.height && box.top > 0;
  const start = Math.max(0, ...fixed.filter((box) => box.height && !isFoot(box)).map((box) => box.bottom)); // tabs of a phone on its side
  const end = Math.min(innerHeight, ...fixed.filter(isFoot).map((box) => box.top));
  const { top, bottom } = refused.getBoundingClientRect();
  if (top >= start && bottom <= end) return;
  const room = 8;
  const isTall = bottom - top + 2 * room > end - start;
  scrollBy({ top: top < start || isTall ? top - start - room : bottom - end + room, behavior: "instant" });
}
addEventListener("pageshow", (event) => event.persisted || location.hash || showRefusal());
document.addEventListener("htmx:afterSettle", showRefusal);

// Taps on a pad write cards into the field it names.
document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-card]");
  const field = key && document.getElementById(key.closest("[data-into]").dataset.into);
  if (!field) return;
  event.preventDefault();
  const typed = field.value.trimEnd();
  field.value = key.dataset.card === "back" ? typed.replace(/\s*\S+$/, "") : key.dataset.card === "next" ? `${typed}\n` : typed === "" || field.value.endsWith("\n") ? field.value + key.dataset.card : `${typed} ${key.dataset.card}`;
  field.dispatchEvent(new Event("input", { bubbles: true }));
});

// Pages without a form: a draft may have landed, or be about something that is gone.
try {
  if (Object.keys(localStorage).some((key) => key.startsWith("draft "))) import("./drafts.js");
} catch {
  // the browser keeps nothing for this address
}
