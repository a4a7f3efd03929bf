// Counting a hand of Grebber: tapped cards fill in their points, a card taken in one place is out of reach in the
// others, and the check of sixty follows every tap. Without this file the page after this one checks.
import { keepOnSubmit, sumOf } from "./sums.js";

const form = document.querySelector("[data-kruth]");
const check = form.querySelector("[data-said]");
const cards = [...form.querySelectorAll('.kruth-grid input[type="checkbox"]')];

const part = (card) => card.closest("[data-part]").dataset.part;

function tapped(field) {
  const own = cards.filter((card) => part(card) === field);
  const chosen = own.filter((card) => card.checked);
  const input = document.getElementById(field);
  input.value = chosen.length ? chosen.reduce((sum, card) => sum + Number(card.dataset.points), 0) : "";
}

function recount() {
  const taken = new Set(cards.filter((card) => card.checked).map((card) => card.value));
  for (const card of cards) card.disabled = taken.has(card.value) && !card.checked;
  let laid = 0;
  let held = 0;
  for (const score of form.querySelectorAll("[data-score]")) {
    const seat = score.dataset.score;
    const parts = ["laid", "held"].map((what) => sumOf(document.getElementById(`${what}-${seat}`).value));
    const wild = [...form.querySelectorAll(`[data-wild="${seat}"]`)].reduce((sum, select) => sum + Number(select.selectedOptions[0].dataset.points), 0);
    laid += parts[0] ?? 0;
    held += parts[1] ?? 0;
    score.textContent = parts.includes(null) ? "" : `= ${parts[0] + wild - parts[1]}`.replace("-", "−");
  }
  const sum = laid + held;
  const above = sum > 60;
  check.classList.toggle("above", above);
  const facts = { laid, held, sum, left: 60 - sum };
  check.textContent = above ? `${laid} + ${held} = ${sum}. ${form.dataset.above}` : form.dataset.check.replace(/\{(\w+)\}/g, (_all, name) => facts[name]);
}

// A draft may have more wilds of a player than there are fields: the server adds one at a time.
form.addEventListener("draft", ({ detail }) => {
  for (const [name, , at] of detail.filter(([field]) => field.startsWith("wild-"))) {
    const choices = form.querySelectorAll(`select[name="${name}"]`);
    if (!choices.length || choices.length > at) continue;
    const last = [...choices].at(-1);
    const more = last.cloneNode(true);
    more.id = `${name}-${at + 1}`;
    more.value = "";
    more.setAttribute("aria-label", last.labels[0]?.textContent ?? last.getAttribute("aria-label"));
    last.after(more);
  }
});

form.addEventListener("change", (event) => {
  if (event.target.type === "checkbox") tapped(part(event.target));
  recount();
});
form.addEventListener("input", recount);
recount();

keepOnSubmit(form);
