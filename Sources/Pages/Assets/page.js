// Everything here is a convenience: the pages work without it.

// A form is sent once, however often the button is pressed.
addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "1";
});
// A page from the browser's memory can be sent again.
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});

// The pages of a person can be installed, and say so when there is no network.
if ("serviceWorker" in navigator && document.querySelector('link[rel="manifest"]')) {
  addEventListener("load", () => navigator.serviceWorker.register("/worker.js").catch(() => {}));
}
