// Live positions on the map of a floor, and the same in its table. Without this script the page shows the positions as
// they were when it was loaded.

const svgNamespace = "http://www.w3.org/2000/svg";
// Shortest time between two messages that are read out, and time for which a lost connection is not mentioned, in
// milliseconds. The server ends each stream now and then, and browsers connect again within seconds.
const quiet = 10_000;
const patience = 6_000;
// Waits before a broken stream is opened again, of which the first is longer than `patience`, number of failures after
// which it is given up, and time without an event after which it counts as broken: the server sends one every 15 s.
const firstWait = 7_000;
const longestWait = 300_000;
const mostFailures = 10;
const longestSilence = 45_000;

function element(name, kind, parent) {
  const made = document.createElementNS(svgNamespace, name);
  made.setAttribute("class", kind);
  parent.append(made);
  return made;
}

// Places of labels, by the rule of LabelLayout in the sources of the map: a label takes the first of eight places round
// its dot where it covers no name, label or dot, else the first where it covers no name and no label, else none.
const mostLabels = 200;
const lineHeight = 1.35;
// In pixels of the screen.
const smallestText = 10;

function letterWidth(letter) {
  if ("ijltfrI.,:;'!|()- ".includes(letter)) return 0.5;
  if ("mwMW@%".includes(letter) || letter >= "\u1100") return 1.1;
  return letter >= "A" && letter <= "Z" ? 0.86 : 0.74;
}

function textBox(text, x, y, size) {
  let width = 0;
  for (const letter of text) width += letterWidth(letter);
  return { x, y, width: width * size, height: lineHeight * size };
}

const overlap = (one, other) => Math.abs(one.x - other.x) * 2 < one.width + other.width
  && Math.abs(one.y - other.y) * 2 < one.height + other.height;
const contains = (outer, inner) => Math.abs(outer.x - inner.x) * 2 <= outer.width - inner.width
  && Math.abs(outer.y - inner.y) * 2 <= outer.height - inner.height;

function placeLabels(dots, names, bounds, radius, size) {
  const marks = dots.map(({ x, y }) => ({ x, y, width: radius * 2, height: radius * 2 }));
  const taken = [...names];
  return dots.map(({ x, y, label }, index) => {
    if (index >= mostLabels || !label) return undefined;
    const box = textBox(label, x, y, size);
    const beside = radius + size * 0.3 + box.width / 2;
    const corner = radius * 0.7 + box.width / 2;
    const above = radius + size * 0.1 + box.height / 2;
    const free = [[0, -above], [beside, 0], [-beside, 0], [0, above],
      [corner, -above], [-corner, -above], [corner, above], [-corner, above]]
      .map(([dx, dy]) => ({ ...box, x: x + dx, y: y + dy }))
      .filter((place) => contains(bounds, place) && !taken.some((other) => overlap(other, place)));
    const place = free.find((each) => !marks.some((mark) => overlap(mark, each))) ?? free[0];
    if (place) taken.push(place);
    return place;
  });
}

// Marks on the map. Lengths are metres; the group of marks is flipped, so that the second axis runs upwards.
class FloorMap {
  constructor(svg) {
    this.svg = svg;
    this.marks = svg.querySelector(".marks");
    this.labels = svg.querySelector(".labels");
    this.size = Number(this.marks.dataset.radius);
    this.text = Number(this.labels.dataset.size);
    const { x, y, width, height } = svg.viewBox.baseVal;
    // The strip below the floor has the scale bar.
    const strip = svg.querySelector(".scale-bar").getBBox();
    const bottom = Math.max(y, Math.min(y + height, strip.y));
    this.bounds = { x: x + width / 2, y: (y + bottom) / 2, width, height: bottom - y };
    const number = (label, attribute) => Number(label.getAttribute(attribute));
    // On a small screen the style sheet makes names larger, upwards from their lower edges.
    this.names = [...this.labels.querySelectorAll(".name, .passage-name")].map((label) => {
      const size = number(label, "font-size");
      const scale = Number.parseFloat(getComputedStyle(label).scale) || 1;
      const y = number(label, "y") - (scale - 1) * lineHeight * size / 2;
      return textBox(label.textContent, number(label, "x"), y, size * scale);
    });
    this.clip = svg.querySelector("clipPath")?.id;
    this.shown = new Map();
  }

  clear() {
    this.marks.replaceChildren();
    for (const label of this.labels.querySelectorAll(".mark-label")) label.remove();
    this.shown.clear();
  }

  // Lays all labels out, in the order of keys, so that they stay where they are while nobody moves.
  arrange() {
    const marks = [...this.shown].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, mark]) => mark);
    // On a small screen as large as can be read: fewer then have room, and the table has all.
    const size = Math.max(this.text, smallestText / (this.svg.getScreenCTM()?.a || Infinity));
    const places = placeLabels(marks.map((mark) => mark.at), this.names, this.bounds, this.size, size);
    marks.forEach((mark, index) => {
      const place = places[index];
      mark.label.textContent = place ? mark.at.label : "";
      if (!place) return;
      mark.label.setAttribute("font-size", size);
      mark.label.setAttribute("x", place.x);
      mark.label.setAttribute("y", place.y);
    });
  }

  remove(key) {
    const mark = this.shown.get(key);
    if (!mark) return;
    for (const part of [mark.area, mark.dot, mark.label]) part.remove();
    this.shown.delete(key);
  }

  put(key, person, name) {
    if (person.x === undefined || person.y === undefined) return this.remove(key);
    let mark = this.shown.get(key);
    if (!mark) {
      const area = element("circle", "uncertainty person", this.marks);
      if (this.clip) area.setAttribute("clip-path", `url(#${this.clip})`);
      const dot = element("circle", "mark person", this.marks);
      const title = element("title", "", dot);
      const label = element("text", "mark-label", this.labels);
      dot.setAttribute("r", this.size);
      label.setAttribute("dominant-baseline", "middle");
      mark = { area, dot, title, label };
      this.shown.set(key, mark);
    }
    for (const circle of [mark.area, mark.dot]) {
      circle.setAttribute("cx", person.x);
      circle.setAttribute("cy", person.y);
    }
    mark.area.setAttribute("r", person.radius ?? 0);
    mark.title.textContent = name ?? "";
    mark.at = { x: person.x, y: -person.y, label: name };
  }
}

// States of receivers and modules, as signs on the map and as words in the table.
class States {
  constructor(root) {
    this.rows = [...root.querySelectorAll("[data-state-of]")];
    this.signs = new Map();
    for (const sign of root.querySelectorAll("[data-receiver]")) this.signs.set(sign.dataset.receiver, sign);
  }

  show(states) {
    for (const row of this.rows) {
      const key = row.dataset.stateOf;
      // Of what is no longer told nothing good is known.
      const { kind, words } = states[key] ?? { kind: "", words: "not known: refresh the page" };
      const tag = row.querySelector(".tag");
      tag.className = `tag ${kind}`;
      set(tag, words);
      const sign = this.signs.get(key);
      if (!sign) continue;
      const shape = kind || "unknown";
      sign.setAttribute("class", `receiver ${shape}`);
      sign.setAttribute("href", sign.getAttribute("href").replace(/[a-z]+$/, shape));
      set(sign.querySelector("title"), `${row.querySelector("th").textContent}: ${words}`);
    }
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

  // Shows that nothing is known any more.
  clear() {
    for (const row of this.rows.values()) {
      set(row.querySelector("[data-count]"), "not known");
      set(row.querySelector("[data-people]"), "");
    }
    set(this.total, "It is not known who is");
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
    // The same text again does not begin the wait anew: a browser may fail to connect every few seconds.
    if (this.pending === text) return;
    clearTimeout(this.timer);
    this.pending = undefined;
    if (this.target.textContent === text) return;
    const wait = Math.max(delay, this.saidAt + quiet - performance.now());
    this.pending = text;
    this.timer = setTimeout(() => {
      this.pending = undefined;
      this.target.textContent = text;
      this.saidAt = performance.now();
    }, wait);
  }
}

// Returns the words for times of a zone: with the day of the week if they are not of today.
function clock(zone) {
  const format = (options) => {
    try {
      return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone });
    } catch {
      return new Intl.DateTimeFormat("en-GB", options);
    }
  };
  const time = format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const weekday = format({ weekday: "short" });
  const day = format({ dateStyle: "short" });
  return (date) =>
    (day.format(date) === day.format(new Date()) ? "" : `${weekday.format(date)} `) + time.format(date);
}

// A stream of events that is opened again when it breaks off. A browser itself does not try again after an answer such
// as that of a proxy while the matcher starts, and does not notice when nothing comes any more.
class Stream {
  constructor(address, events, { opened, lost, ended }) {
    Object.assign(this, { address, events, opened, lost, ended, failures: 0 });
    this.connect();
  }

  connect() {
    this.source = new EventSource(this.address);
    for (const [kind, take] of Object.entries(this.events)) {
      this.source.addEventListener(kind, (event) => {
        this.failures = 0;
        this.watch();
        take(JSON.parse(event.data));
      });
    }
    this.source.addEventListener("open", () => this.opened());
    this.source.addEventListener("error", () => {
      if (this.source.readyState === EventSource.CLOSED) this.fail();
      else this.lost();
    });
    this.watch();
  }

  watch() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fail(), longestSilence);
  }

  fail() {
    clearTimeout(this.timer);
    this.source.close();
    this.failures += 1;
    if (this.failures >= mostFailures) return this.ended();
    this.lost();
    const wait = Math.min(firstWait * 2 ** (this.failures - 1), longestWait);
    this.timer = setTimeout(() => this.connect(), wait);
  }
}

function follow(root) {
  const map = new FloorMap(root.querySelector(".map svg"));
  const table = new FloorTable(root);
  const states = new States(root);
  const status = new Status(root.querySelector("[data-status]"));
  const time = root.querySelector("[data-time]");
  const doubt = root.querySelector("[data-doubt]");
  const times = clock(root.dataset.zone);
  const people = new Map();
  const names = new Map();
  const loaded = time.textContent;
  let latest;

  const name = (key) => names.get(key) ?? people.get(key)?.subject;
  const put = (person) => {
    people.set(person.key, person);
    map.put(person.key, person, name(person.key));
  };
  const asOf = () => (latest ? times(latest) : loaded);
  const tellTime = (date) => {
    if (date) latest = new Date(date);
    set(time, asOf());
  };
  const took = (date) => {
    tellTime(date);
    map.arrange();
    table.show(people, name);
  };
  const events = {
    // Names come before the positions of those who have them.
    names: (data) => {
      for (const [key, value] of Object.entries(data.names)) names.set(key, value);
    },
    snapshot: (data) => {
      people.clear();
      map.clear();
      data.positions.forEach(put);
      took(data.asOf);
    },
    states: (data) => {
      set(doubt, data.doubt ?? "");
      doubt.hidden = !data.doubt;
      states.show(data.states);
    },
    positions: (data) => {
      data.positions.forEach(put);
      took(data.asOf);
    },
    left: (data) => {
      for (const key of data.keys) {
        people.delete(key);
        map.remove(key);
      }
      took();
    },
    // Nobody moved.
    beat: (data) => tellTime(data.asOf),
  };
  new Stream(root.dataset.live, events, {
    opened: () => status.say("Live"),
    lost: () => {
      tellTime();
      status.say(`Connection lost, positions of ${asOf()}`, patience);
    },
    ended: () => {
      tellTime();
      people.clear();
      map.clear();
      table.clear();
      status.say("Live positions have ended. Refresh the page.");
    },
  });
}

const root = document.querySelector("[data-live]");
if (root) follow(root);
