// The picture of a night as PNG, drawn here because this phone's fonts know every name and emoji; and its text to copy.
// Each way to share is offered only where the browser has it: plain HTTP has neither share sheet nor clipboard.

const svg = document.getElementById("picture");
const text = document.getElementById("text");
const button = (id, act) => {
  const element = document.getElementById(id);
  element.hidden = false;
  element.addEventListener("click", act);
};
const reveal = (id) => {
  const place = document.getElementById(id);
  place.textContent = place.dataset.words;
};

// The server only estimates how wide letters are; here they can be measured.
function fit() {
  for (const line of svg.querySelectorAll("[data-room]")) {
    if (line.getComputedTextLength() <= Number(line.dataset.room)) continue;
    line.setAttribute("textLength", line.dataset.room);
    line.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
}

async function draw() {
  fit();
  const source = new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
  const address = URL.createObjectURL(source);
  try {
    const image = new Image();
    await new Promise((done, failed) => {
      image.onload = done;
      image.onerror = failed;
      image.src = address;
    });
    const canvas = document.createElement("canvas");
    canvas.width = svg.viewBox.baseVal.width;
    canvas.height = svg.viewBox.baseVal.height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const png = await new Promise((done) => canvas.toBlob(done, "image/png"));
    if (!png) throw new Error("no picture");
    return new File([png], document.getElementById("save").dataset.name, { type: "image/png" });
  } finally {
    URL.revokeObjectURL(address);
  }
}

// Drawn once; a share sheet opens only in the moment of the tap, so the file must be there by then.
let drawn;
const file = () => (drawn ??= draw().catch((error) => { drawn = undefined; throw error; }));

async function save() {
  try {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await file());
    link.download = document.getElementById("save").dataset.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch {
    reveal("failed");
  }
}

async function send() {
  try {
    await navigator.share({ files: [await file()], text: text.value });
  } catch (error) {
    if (error.name !== "AbortError") await save(); // closing the share sheet is no fault
  }
}

function select() {
  text.focus();
  text.select();
}

async function copy() {
  try {
    await navigator.clipboard.writeText(text.value);
    reveal("copied");
  } catch {
    select();
  }
}

for (const field of document.querySelectorAll(".share [readonly]")) field.addEventListener("focus", () => field.select());
document.getElementById("picture-acts").hidden = false;
document.getElementById("save").addEventListener("click", save);
const probe = new File([""], "probe.png", { type: "image/png" });
if (navigator.canShare?.({ files: [probe] })) {
  button("send", send);
  file().catch(() => {});
}
if (navigator.clipboard?.writeText) button("copy", copy);
else button("select", select);
