// The server's clock becomes the phone's, where they are in different time zones.
for (const time of document.querySelectorAll("time[datetime]")) {
  const clock = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  time.textContent = clock.format(new Date(time.dateTime));
}
