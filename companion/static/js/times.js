// The server's clock becomes the phone's, where they are in different time zones.
const clock = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

function localise() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    const here = clock.format(new Date(time.dateTime));
    if (time.textContent !== here) time.textContent = here;
  }
}

localise();
new MutationObserver(localise).observe(document.body, { childList: true }); // a newer page takes the place of <main>
