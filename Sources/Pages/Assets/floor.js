// Live positions on the map of a floor, and the same in its table. Without this script the page shows the positions as
// they were when it was loaded.

const svgNamespace = "http://www.w3.org/2000/svg";
// Shortest time between two messages that are read out, and time for which a lost connection is not mentioned, in
// milliseconds. The server ends each stream now and then, and browsers connect again within seconds.
const quiet = 10_000;
const patience = 6_000;

function element(name, kind, parent) {
  const made = document.createElementNS(svgNamespace, name);
  made.setAttribute("class", kind);
  parent.append(made);
  return made;
}

// Marks on the map. Lengths are metres; the group of marks is flipped, so that the second axis runs upwards.
class FloorMap {
  constructor(svg) {
    this.marks = svg.querySelector(".marks");
    this.labels = svg.querySelector(".labels");
    const box = svg.viewBox.baseVal;
    this.size = Math.max(box.width, box.height, 1) / 130;
    this.shown = new Map();
  }

  clear() {
    this.marks.replaceChildren();
    for (const label of this.labels.querySelectorAll(".mark-label")) label.remove();
    this.shown.clear();
  }

  remove(key) {
    const mark = this.shown.get(key);
    if (!mark) return;
    for (const part of Object.values(mark)) part.remove();
    this.shown.delete(key);
  }

  put(key, person, name) {
    if (person.x === undefined || person.y === undefined) return this.remove(key);
    let mark = this.shown.get(key);
    if (!mark) {
      const area = element("circle", "uncertainty person", this.marks);
      const dot = element("circle", "mark person", this.marks);
      const label = element("text", "mark-label", this.labels);
      dot.setAttribute("r", this.size);
      label.setAttribute("font-size", this.size * 1.6);
      label.setAttribute("dominant-baseline", "middle");
      mark = { area, dot, label };
      this.shown.set(key, mark);
    }
    for (const circle of [mark.area, mark.dot]) {
      circle.setAttribute("cx", person.x);
      circle.setAttribute("cy", person.y);
    }
    mark.area.setAttribute("r", person.radius ?? 0);
    mark.label.setAttribute("x", person.x);
    mark.label.setAttribute("y", -(person.y + this.size * 2.1));
    mark.label.textContent = name ?? "";
  }
}

// Rows of the table by their keys.
class FloorTable {
  constructor(root) {
    this.rows = new Map();
    for (const row of root.querySelectorAll("[data-row]")) this.rows.set(row.dataset.row, row);
    this.total = root.querySelector("[data-total]");
  }

  static row(person) {
    if (person.state === "room") return `room:${person.room}`;
    return person.state === "conflicting" ? "conflicting" : "between";
  }

  show(people, name) {
    const contents = new Map();
    for (const [key, person] of people) {
      const row = FloorTable.row(person);
      const where = this.rows.has(row) ? row : "between";
      if (!contents.has(where)) contents.set(where, []);
      contents.get(where).push(name(key) ?? "");
    }
    for (const [key, row] of this.rows) {
      const found = contents.get(key) ?? [];
      set(row.querySelector("[data-count]"), String(found.length));
      set(row.querySelector("[data-people]"), found.sort().join(", "));
    }
    set(this.total, people.size === 1 ? "1 person" : `${people.size} people`);
  }
}

function set(target, text) {
  if (target && target.textContent !== text) target.textContent = text;
}

// The sentence about the connection, which screen readers read out.
class Status {
  constructor(target) {
    this.target = target;
    this.saidAt = -quiet;
  }

  say(text, delay = 0) {
    clearTimeout(this.timer);
    if (this.target.textContent === text) return;
    const wait = Math.max(delay, this.saidAt + quiet - performance.now());
    this.timer = setTimeout(() => {
      this.target.textContent = text;
      this.saidAt = performance.now();
    }, wait);
  }
}

function clock(zone) {
  const options = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  try {
    return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat("en-GB", options);
  }
}

function follow(root) {
  const map = new FloorMap(root.querySelector(".map svg"));
  const table = new FloorTable(root);
  const status = new Status(root.querySelector("[data-status]"));
  const time = root.querySelector("[data-time]");
  const doubt = root.querySelector("[data-doubt]");
  const times = clock(root.dataset.zone);
  const people = new Map();
  const names = new Map();
  let asOf = time.textContent;

  const name = (key) => names.get(key) ?? people.get(key)?.subject;
  const put = (person) => {
    people.set(person.key, person);
    map.put(person.key, person, name(person.key));
  };
  const took = (date) => {
    if (date) asOf = times.format(new Date(date));
    set(time, asOf);
    table.show(people, name);
  };

  const source = new EventSource(root.dataset.live);
  const on = (kind, take) => source.addEventListener(kind, (event) => take(JSON.parse(event.data)));
  // Names come before the positions of those who have them.
  on("names", (data) => {
    for (const [key, value] of Object.entries(data.names)) names.set(key, value);
  });
  on("snapshot", (data) => {
    people.clear();
    map.clear();
    data.positions.forEach(put);
    doubt.hidden = data.isHeard;
    took(data.asOf);
  });
  on("positions", (data) => {
    data.positions.forEach(put);
    took(data.asOf);
  });
  on("left", (data) => {
    for (const key of data.keys) {
      people.delete(key);
      map.remove(key);
    }
    took();
  });
  source.addEventListener("open", () => status.say("Live"));
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) status.say("Live positions have ended. Refresh the page.");
    else status.say(`Connection lost, positions of ${asOf}`, patience);
  });
}

const root = document.querySelector("[data-live]");
if (root) follow(root);
