// Says that there is news about the person while the page is open. Without this script the page shows what was known when
// it was loaded.

// Shows a message of the phone or computer. Phones take it from the service worker alone.
async function notify(text) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const worker = await navigator.serviceWorker?.getRegistration();
  const options = { body: "Open the page to read it.", tag: "news" };
  if (worker?.active) await worker.showNotification(text, options);
  else new Notification(text, options);
}

// Follows the news of which an element says where they are. It is read out when it changes.
function follow(said) {
  const button = document.querySelector("[data-notify]");
  let wantsMessages = false;
  let last = "";

  if ("Notification" in window && Notification.permission !== "denied") {
    button.hidden = false;
    button.addEventListener("click", async () => {
      wantsMessages = (await Notification.requestPermission()) === "granted";
      button.disabled = wantsMessages;
      button.textContent = wantsMessages
        ? "You are notified while this page is open"
        : "Your browser does not allow notifications here";
    });
  }

  const source = new EventSource(said.dataset.news);
  source.addEventListener("news", (event) => {
    // The same news comes again with each connection.
    if (event.lastEventId === last) return;
    last = event.lastEventId;
    const link = document.createElement("a");
    link.href = "/me";
    link.textContent = "Refresh";
    const text = document.createElement("p");
    text.className = "notice";
    text.append("There is news about you. ", link, ".");
    said.replaceChildren(text);
    if (wantsMessages) notify("There is news about you.").catch(() => {});
  });
}

const said = document.querySelector("[data-news]");
if (said) follow(said);
