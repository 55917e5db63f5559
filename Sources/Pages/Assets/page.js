// Everything here is a convenience: the pages work without it.

// A form is sent once, however often the button is pressed.
addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "1";
  if (form.dataset.waiting) sayThatItWaits(form.dataset.waiting, event.submitter ?? form.querySelector("button"));
});
// A page from the browser's memory can be sent again.
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
  for (const [button, contents] of waiting) {
    button.replaceChildren(...contents);
    button.disabled = false;
  }
  waiting.clear();
  if (status) status.textContent = "";
});

// The answer to some forms takes long: their buttons say so, and screen readers read it out. The region in which they
// find it is there before it says anything.
const waiting = new Map();
let status;
if (document.querySelector("form[data-waiting]")) {
  status = document.createElement("p");
  status.className = "hidden";
  status.setAttribute("role", "status");
  document.querySelector("main").append(status);
}

function sayThatItWaits(words, button) {
  status.textContent = words;
  if (!button) return;
  waiting.set(button, [...button.childNodes]);
  button.textContent = words;
  button.disabled = true;
}

// The pages of a person can be installed, and say so when there is no network.
if ("serviceWorker" in navigator && document.querySelector('link[rel="manifest"]')) {
  addEventListener("load", () => navigator.serviceWorker.register("/worker.js").catch(() => {}));
}
