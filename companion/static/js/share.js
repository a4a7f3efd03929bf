// Copying and sharing a link, where the browser can. Elsewhere (plain HTTP at home, for one) the buttons stay hidden,
// and a tap on the field selects the link, to be copied as any text is.

for (const field of document.querySelectorAll("[data-link]")) {
  field.addEventListener("focus", () => field.select());
  field.addEventListener("click", () => field.select());
}

function offer(button, act) {
  const field = document.getElementById(button.dataset.copy ?? button.dataset.share);
  button.hidden = false;
  button.addEventListener("click", () => act(field, button));
}

async function copy(field, button) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    return; // not allowed here: the link is selected
  }
  const words = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => { button.textContent = words; }, 2000);
}

async function share(field, button) {
  try {
    await navigator.share({ title: button.dataset.title, url: field.value });
  } catch (error) {
    if (error.name !== "AbortError") field.select(); // closed again by the person, or not possible after all
  }
}

if (isSecureContext && navigator.clipboard) {
  for (const button of document.querySelectorAll("[data-copy]")) offer(button, copy);
}
if (isSecureContext && navigator.share) {
  for (const button of document.querySelectorAll("[data-share]")) offer(button, share);
}
