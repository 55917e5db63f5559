// Says that there is news about the person while the page is open. Without this script the page shows what was known when
// it was loaded.

// Waits before a broken stream is opened again, in milliseconds, and number of failures after which it is given up.
const firstWait = 5_000;
const longestWait = 300_000;
const mostFailures = 10;

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

  const tell = (text) => {
    const link = document.createElement("a");
    link.href = "/me";
    link.textContent = "Refresh";
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.append(text, " ", link, ".");
    said.replaceChildren(notice);
  };
  let failures = 0;
  const connect = () => {
    const source = new EventSource(said.dataset.news);
    source.addEventListener("open", () => {
      failures = 0;
    });
    // A browser itself does not try again after an answer such as that of a proxy while the matcher starts.
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return;
      failures += 1;
      if (failures < mostFailures) setTimeout(connect, Math.min(firstWait * 2 ** (failures - 1), longestWait));
      else if (!last) tell("This page no longer notices news about you.");
    });
    source.addEventListener("news", (event) => {
      // The same news comes again with each connection.
      if (event.lastEventId === last) return;
      last = event.lastEventId;
      tell("There is news about you.");
      if (wantsMessages) notify("There is news about you.").catch(() => {});
    });
  };
  connect();
}

const said = document.querySelector("[data-news]");
if (said) follow(said);
