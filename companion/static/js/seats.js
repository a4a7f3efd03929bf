// Chairs on the pages of a new game and of a table: names dragged, moved with buttons, and people of earlier nights
// added with a tap. Without this file every button sends its form, and the server does the same.

const animation = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 120;

const table = document.querySelector("[data-order]");
if (table && window.Sortable) {
  // At a running table a new order is sent as soon as it is made.
  const save = table.closest("form").querySelector("[data-save]");
  Sortable.create(table, { handle: "[data-grip]", animation, onEnd: (moved) => moved.oldIndex !== moved.newIndex && table.closest("form").requestSubmit(save) });
}

const chairs = document.querySelector("[data-chairs]");
if (chairs) newGame(chairs);

function newGame(chairs) {
  const form = chairs.closest("form");
  const dealer = form.elements.dealer;
  const add = form.querySelector("[data-add]");
  const status = form.querySelector("[data-said]");
  const rows = () => [...chairs.children];
  const field = (row) => row.querySelector("input");
  const name = (row) => field(row).value.trim().replace(/\s+/g, " ");
  let made = 99; // the ids of chairs added here
  const chips = [...form.querySelectorAll('input[name="known"]')];
  const same = (name, other) => name.normalize("NFC").toLocaleLowerCase() === other.normalize("NFC").toLocaleLowerCase();

  // After any change: numbers, labels, the dealer's names, the chips and the third deck follow the rows.
  function update() {
    rows().forEach((row, index) => {
      const chair = chairs.dataset.chair.replace("#", index + 1);
      const words = name(row) || chair;
      row.querySelector("[data-grip]").textContent = index + 1;
      row.querySelector("label").textContent = chair;
      for (const way of ["up", "down"]) {
        const button = row.querySelector(`.seat-${way}`);
        button.value = `${way}-${index}`;
        button.setAttribute("aria-label", chairs.dataset[way].replace("#", () => words));
      }
      const option = dealer.options[index + 1] ?? dealer.appendChild(new Option("", index));
      option.textContent = name(row) ? `${index + 1}: \u2068${name(row)}\u2069` : chair;
    });
    while (dealer.options.length > rows().length + 1) dealer.lastElementChild.remove();
    const typed = rows().map(name).filter(Boolean);
    for (const chip of chips) chip.checked = typed.some((typedName) => same(typedName, chip.value));
    const third = form.querySelector("[data-third-deck]");
    third.hidden = typed.length < third.dataset.thirdDeck;
    add.hidden = rows().length >= Number(chairs.dataset.most);
  }

  // The deal goes with the person, so the chosen row is remembered over a change.
  function keepingDealer(change) {
    const chosen = rows()[dealer.value];
    change();
    update();
    dealer.value = chosen ? rows().indexOf(chosen) : "draw";
    if (dealer.selectedIndex < 0) dealer.value = "draw";
  }

  function move(row, step) {
    const other = step < 0 ? row.previousElementSibling : row.nextElementSibling;
    if (!other) return;
    keepingDealer(() => (step < 0 ? other.before(row) : other.after(row)));
    announce(row);
  }

  function announce(row) {
    const index = rows().indexOf(row) + 1;
    status.textContent = chairs.dataset.moved.replace("@", index).replace("#", () => name(row) || index);
  }

  function addChair() {
    const last = chairs.lastElementChild;
    const row = last.cloneNode(true);
    for (const fault of row.querySelectorAll(".seat-error, .field-error")) fault.remove();
    for (const input of row.querySelectorAll("input")) {
      const label = row.querySelector(`label[for="${input.id}"]`);
      input.value = "";
      label.htmlFor = input.id = `${input.name}-${(made += 1)}`;
      input.removeAttribute("aria-invalid");
      input.removeAttribute("aria-describedby");
    }
    chairs.append(row);
    update();
    return row;
  }

  function sit(person) {
    const free = rows().find((row) => !name(row)) ?? (rows().length < 8 ? addChair() : null);
    if (free) field(free).value = person;
    update();
  }

  // The chair stays, at the end, so that no blank one is left between the others.
  function standUp(person) {
    keepingDealer(() => {
      for (const row of rows().filter((row) => same(name(row), person))) {
        if (rows()[dealer.value] === row) dealer.value = "draw";
        for (const input of row.querySelectorAll("input")) input.value = "";
        chairs.append(row);
      }
    });
  }

  chairs.addEventListener("click", (event) => {
    const button = event.target.closest(".seat-move");
    if (!button) return;
    event.preventDefault();
    move(button.closest("li"), button.classList.contains("seat-up") ? -1 : 1);
    if (button.checkVisibility?.({ visibilityProperty: true }) !== false) button.focus();
    else button.parentElement.querySelector("input").focus();
  });
  chairs.addEventListener("input", update);
  chairs.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT" || event.isComposing) return;
    event.preventDefault();
    const next = event.target.closest("li").nextElementSibling ?? (rows().length < 8 && name(chairs.lastElementChild) ? addChair() : null);
    if (next) next.querySelector(`[name="${event.target.name}"]`).focus();
  });
  add.addEventListener("click", (event) => {
    event.preventDefault();
    field(addChair()).focus();
  });
  for (const chip of chips) chip.addEventListener("change", () => (chip.checked ? sit(chip.value) : standUp(chip.value)));
  let chosen = null;
  window.Sortable?.create(chairs, {
    handle: "[data-grip]",
    animation,
    onStart: () => (chosen = rows()[dealer.value]),
    onEnd: (moved) => {
      update();
      dealer.value = chosen ? rows().indexOf(chosen) : "draw";
      announce(moved.item);
    },
  });
  form.addEventListener("draft", ({ detail }) => {
    const typed = detail.filter(([field]) => field === chairs.querySelector("input").name);
    while (rows().length < typed.length) addChair();
    if (detail.some(([field, value]) => field === "points" && value)) form.querySelector(".paper").open = true;
  });
  // Back from the game finds this form by its token, and with it the game.
  form.addEventListener("submit", () => {
    const address = new URL(location.href);
    address.searchParams.set("form", form.elements.token.value);
    history.replaceState(null, "", address);
  });
  addEventListener("pageshow", update); // what the browser filled in again when going back
  update();
}
