// The rows of a list are drawn by the server. A draft that came back is sent once, to be drawn again.
document.addEventListener("draft", (event) => {
  if (event.target.id !== "list") return;
  setTimeout(() => event.target.requestSubmit(document.getElementById("show")));
});
// Which rules it goes by changes what is known of every hand.
document.addEventListener("change", ({ target }) => {
  if (target.id === "sheet") target.form.requestSubmit(document.getElementById("show"));
});
