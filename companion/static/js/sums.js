// What both forms that count a hand do.
const SUM = /^[0-9]+(\s*\+\s*[0-9]+)*$/;

// The value of a typed number or sum; null for anything else.
export const sumOf = (text) => (SUM.test(text.trim()) ? text.split("+").reduce((sum, number) => sum + Number(number), 0) : null);

// Going back from the preview finds the form as it was left.
export function keepOnSubmit(form) {
  form.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    const typed = new URLSearchParams(new FormData(form));
    typed.set("change", "1");
    history.replaceState(null, "", `?${typed}`);
  });
}
