// Counting a hand by tapping its cards: each tap adds the card's points to the field as a sum. Without this file the
// sum is typed.
import { keepOnSubmit, sumOf } from "./sums.js";

const form = document.querySelector(".count");
const pad = document.getElementById("count-pad")?.content.firstElementChild;

function field(seat) {
  return document.getElementById(`points-${seat}`);
}

function showSum(input) {
  const sum = input.value.includes("+") ? sumOf(input.value) : null;
  const shown = sum === null ? "" : `= ${sum}`;
  form.querySelector(`output[for="${input.id}"]`).textContent = shown;
}

function open(button) {
  const wasOpen = button.getAttribute("aria-expanded") === "true" && !button.dataset.unasked;
  delete button.dataset.unasked;
  for (const other of form.querySelectorAll(".pad-open")) {
    const isThis = other === button && !wasOpen;
    other.setAttribute("aria-expanded", isThis);
    document.getElementById(`pad-${other.dataset.count}`).hidden = !isThis;
  }
  if (!wasOpen) document.getElementById(`pad-${button.dataset.count}`).append(pad);
}

// The next line that is shown and whose field can be filled in.
function next(button) {
  const buttons = [...form.querySelectorAll(".pad-open")];
  const following = buttons.slice(buttons.indexOf(button) + 1).find((one) => one.offsetParent);
  open(following ?? button);
  (following ?? form.querySelector(".button-main"))?.focus();
  (following?.closest(".hold") ?? form.querySelector(".button-main"))?.scrollIntoView({ block: "nearest" });
}

form.addEventListener("click", (event) => {
  const button = event.target.closest(".pad-open");
  if (button) return open(button);
  const key = event.target.closest("[data-points]");
  if (!key) return undefined;
  const opener = form.querySelector('.pad-open[aria-expanded="true"]');
  if (key.dataset.points === "next") return next(opener);
  const input = field(opener.dataset.count);
  const sum = input.value.trim().replace(/\+$/, "");
  input.value = key.dataset.points === "back" ? sum.replace(/\+?[^+]*$/, "") : sum ? `${sum}+${key.dataset.points}` : key.dataset.points;
  return input.dispatchEvent(new Event("input", { bubbles: true }));
});

form.addEventListener("input", (event) => {
  if (event.target.name?.startsWith("points-")) showSum(event.target);
});

// Enter goes on to the next player; from the last it sends the form.
form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.name?.startsWith("points-")) return;
  const fields = [...form.querySelectorAll('input[id^="points-"]')].filter((one) => one.offsetParent);
  const following = fields[fields.indexOf(event.target) + 1];
  if (!following) return;
  event.preventDefault();
  following.focus();
});

// Who goes out holds nothing: what stands in the field then hidden waits until somebody else is chosen.
form.addEventListener("change", (event) => {
  if (event.target.name !== "out") return;
  for (const input of form.querySelectorAll('input[id^="points-"]')) {
    const goesOut = input.id === `points-${event.target.value}`;
    if (goesOut && input.value) input.dataset.waits = input.value;
    input.value = goesOut ? "" : input.value || (input.dataset.waits ?? "");
    if (!goesOut) delete input.dataset.waits;
    showSum(input);
  }
  openFirst();
});

// Nothing is counted yet: the first player's cards are there to be tapped.
function openFirst() {
  const isBegun = [...form.querySelectorAll('input[id^="points-"]')].some((input) => input.value);
  if (!pad || isBegun || form.querySelector('.pad-open[aria-expanded="true"]')) return;
  const first = [...form.querySelectorAll(".pad-open")].find((one) => one.offsetParent);
  if (!first) return;
  open(first);
  first.dataset.unasked = "yes"; // a tap that was on its way to it does not close it
}

keepOnSubmit(form);
