// Drawing of a floor by mouse or finger. It only edits the fields of the form below the picture: without this script,
// or by keyboard, the same is written there.

const svgNamespace = "http://www.w3.org/2000/svg";
// Points snap to corners within this many pixels, else to tenths of a metre.
const near = 12;
const steps = 10;
const mostUndone = 100;
const kinds = {
  room: ["name", "points", "capacity"], door: ["at", "width"], wall: ["points", "attenuation"],
  passage: ["kind", "name", "at"],
};

const form = document.querySelector("#plan-form");
const editor = document.querySelector("#plan-editor");
const svg = document.querySelector(".plan-map svg");

function element(name, attributes, parent) {
  const made = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

function parse(text) {
  const points = text.replaceAll(/,\s+/g, ",").split(/[\s;]+/).filter(Boolean).map((pair) => pair.split(",").map(Number));
  return points.every((point) => point.length === 2 && point.every(Number.isFinite)) ? points : [];
}

const round = (number) => Math.round(number * steps) / steps;
const distance = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
const text = (points) => points.map((point) => point.join(",")).join(" ");
const edges = (points, isClosed) =>
  points.slice(isClosed ? 0 : 1).map((point, index) => [points.at(isClosed ? index - 1 : index), point]);

// Returns the point of an edge that is nearest to a point.
function foot(point, [start, end]) {
  const along = [end[0] - start[0], end[1] - start[1]];
  const square = along[0] ** 2 + along[1] ** 2;
  if (!square) return start;
  const share = ((point[0] - start[0]) * along[0] + (point[1] - start[1]) * along[1]) / square;
  const inside = Math.min(1, Math.max(0, share));
  return [start[0] + along[0] * inside, start[1] + along[1] * inside];
}

// The fields of the form, as rows of each kind.
class Fields {
  static rows(kind) {
    const rows = [...form.querySelectorAll(`[data-rows="${kind}"] tbody tr`)];
    return rows.map((row) => Object.fromEntries(kinds[kind].map((name, column) => [name, Fields.cells(row)[column]])));
  }

  static cells(row) {
    return [...row.querySelectorAll("input, select")];
  }

  // Whether anything differs from what the server sent.
  static areChanged() {
    return [...form.elements].some((field) => {
      if (field.localName === "input") return field.value !== field.defaultValue;
      return field.localName === "select" && !field.selectedOptions[0]?.defaultSelected;
    });
  }

  static read() {
    const model = { outline: form.elements.outline.value };
    for (const kind of Object.keys(kinds)) {
      model[kind] = Fields.rows(kind).map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, field]) => [name, field.value])));
    }
    return model;
  }

  static write(model) {
    form.elements.outline.value = model.outline;
    for (const kind of Object.keys(kinds)) {
      while (Fields.rows(kind).length < model[kind].length) Fields.add(kind);
      Fields.rows(kind).forEach((row, index) => {
        for (const [name, field] of Object.entries(row)) {
          field.value = model[kind][index]?.[name] ?? (name === "kind" ? "stairs" : "");
        }
      });
    }
  }

  // Adds an empty row, made like the last one.
  static add(kind) {
    const body = form.querySelector(`[data-rows="${kind}"] tbody`);
    const index = body.rows.length;
    const row = body.rows[index - 1].cloneNode(true);
    for (const mistake of row.querySelectorAll(".mistake")) mistake.remove();
    for (const field of Fields.cells(row)) {
      if (field.localName === "select") {
        for (const option of field.options) option.defaultSelected = option.index === 0;
        field.selectedIndex = 0;
      } else {
        field.value = field.defaultValue = "";
      }
      field.name = field.id = field.name.replace(/-\d+-/, `-${index}-`);
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
      const label = field.closest("label");
      label.htmlFor = field.id;
      const words = label.querySelector(".hidden");
      words.textContent = words.textContent.replace(String(index), String(index + 1));
    }
    body.append(row);
  }

  // Returns the number of the first row without text.
  static free(kind) {
    const rows = Fields.rows(kind);
    const index = rows.findIndex((row) => Object.entries(row).every(([name, field]) => name === "kind" || !field.value));
    if (index >= 0) return index;
    Fields.add(kind);
    return rows.length;
  }
}

class Editor {
  constructor() {
    this.tool = "move";
    this.drawn = [];
    this.undone = [];
    this.done = [];
    this.hint = editor.querySelector("[data-hint]");
    const box = svg.viewBox.baseVal;
    this.unit = Math.max(box.width, box.height, 1) / 400;
    const picture = svg.querySelector(".underlay");
    for (const part of [...svg.children]) if (!["title", "desc"].includes(part.localName)) part.remove();
    this.layer = element("g", { transform: "scale(1,-1)", class: "plan-layer" }, svg);
    if (picture) element("g", { transform: "scale(1,-1)" }, svg).append(picture);
    this.shapes = element("g", { transform: "scale(1,-1)", class: "plan-shapes" }, svg);
    this.labels = element("g", { class: "labels", "text-anchor": "middle" }, svg);
    this.remember();
    this.listen();
    this.choose("move");
  }

  listen() {
    editor.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button?.dataset.tool) this.choose(button.dataset.tool);
      if (button?.dataset.do) this[button.dataset.do]();
    });
    form.addEventListener("input", () => {
      this.remember();
      this.draw();
    });
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => this.drag(event));
    svg.addEventListener("pointerup", () => this.release());
    svg.addEventListener("dblclick", () => this.finish());
    document.querySelector(".plan-map").addEventListener("keydown", (event) => {
      const keys = { Enter: "finish", Escape: "cancel", Delete: "delete" };
      if (keys[event.key]) this[keys[event.key]]();
      if (event.key === "z" && (event.ctrlKey || event.metaKey)) this[event.shiftKey ? "redo" : "undo"]();
    });
  }

  // Where the pointer is on the plan.
  point(event) {
    const matrix = this.layer.getScreenCTM().inverse();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [at.x, at.y];
  }

  // Length on the plan within which a point snaps.
  get reach() {
    return near / (this.layer.getScreenCTM()?.a || 1);
  }

  corners() {
    const model = Fields.read();
    return [model.outline, ...model.room.map((row) => row.points), ...model.wall.map((row) => row.points)].flatMap(parse);
  }

  snap(point) {
    const corners = [...this.corners(), ...this.drawn].map((corner) => [distance(corner, point), corner]);
    const [best] = corners.sort((one, other) => one[0] - other[0]);
    return best && best[0] <= this.reach ? best[1] : point.map(round);
  }

  choose(tool) {
    this.tool = tool;
    this.drawn = [];
    for (const button of editor.querySelectorAll("[data-tool]")) {
      button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    }
    this.hint.textContent = {
      move: "Click a room, a wall or a door to select it. Drag a corner to move it, with all rooms that have it.",
      room: "Click the corners of the room in their order. Click the first one again, or press Finish.",
      door: "Click on the wall in which the door is.",
      wall: "Click the points of the wall. Press Finish after the last one.",
    }[tool];
    this.draw();
  }

  press(event) {
    const point = this.point(event);
    if (this.tool === "move") return this.grab(event, point);
    if (this.tool === "door") return this.setDoor(point);
    const corner = this.snap(point);
    if (this.tool === "room" && this.drawn.length > 2 && distance(corner, this.drawn[0]) === 0) return this.finish();
    // The second click of a double click.
    if (this.drawn.length && distance(corner, this.drawn.at(-1)) === 0) return;
    this.drawn.push(corner);
    this.draw();
  }

  grab(event, point) {
    const [best] = this.corners().map((corner) => [distance(corner, point), corner]).sort((a, b) => a[0] - b[0]);
    if (best && best[0] <= this.reach) {
      this.held = best[1];
      svg.setPointerCapture(event.pointerId);
      return;
    }
    const part = event.target.closest("[data-part]");
    this.selected = part?.dataset.part;
    this.draw();
  }

  drag(event) {
    if (!this.held) return;
    const to = this.point(event).map(round);
    if (distance(to, this.held) === 0) return;
    const from = this.held;
    // What cannot be read stays as it was typed.
    const moved = (points) => {
      const corners = parse(points);
      return corners.length ? text(corners.map((corner) => (distance(corner, from) === 0 ? to : corner))) : points;
    };
    const model = Fields.read();
    model.outline = moved(model.outline);
    for (const row of [...model.room, ...model.wall]) row.points = moved(row.points);
    Fields.write(model);
    this.held = to;
    this.draw();
  }

  release() {
    if (!this.held) return;
    this.held = undefined;
    this.remember();
    this.draw();
  }

  setDoor(point) {
    const model = Fields.read();
    const all = [...edges(parse(model.outline), true), ...model.room.flatMap((row) => edges(parse(row.points), true)),
      ...model.wall.flatMap((row) => edges(parse(row.points), false))];
    const [best] = all.map((edge) => foot(point, edge)).map((at) => [distance(at, point), at]).sort((a, b) => a[0] - b[0]);
    if (!best || best[0] > this.reach * 2) {
      this.hint.textContent = "There is no wall. Click on the edge of a room.";
      return;
    }
    const row = Fields.rows("door")[Fields.free("door")] ?? Fields.rows("door").at(-1);
    row.at.value = text([best[1].map((number) => Math.round(number * 100) / 100)]);
    row.width.value = "1";
    this.remember();
    this.draw();
  }

  finish() {
    const least = { room: 3, wall: 2 }[this.tool];
    if (!least || this.drawn.length < least) return;
    const index = Fields.free(this.tool);
    const row = Fields.rows(this.tool)[index];
    row.points.value = text(this.drawn);
    this.drawn = [];
    if (this.tool === "room") {
      row.name.value = `Room ${index + 1}`;
      this.hint.textContent = `Room ${index + 1} is drawn. Give it its name in the table below.`;
      row.name.focus();
      row.name.select();
    }
    this.remember();
    this.draw();
  }

  cancel() {
    this.drawn = [];
    this.selected = undefined;
    this.draw();
  }

  delete() {
    if (!this.selected) return;
    const [kind, index] = this.selected.split("-");
    const model = Fields.read();
    model[kind].splice(Number(index), 1);
    Fields.write(model);
    this.selected = undefined;
    this.remember();
    this.draw();
  }

  remember() {
    const state = JSON.stringify(Fields.read());
    if (state === this.done.at(-1)) return;
    this.done.push(state);
    if (this.done.length > mostUndone) this.done.shift();
    this.undone = [];
  }

  undo() {
    if (this.drawn.length) {
      this.drawn.pop();
    } else if (this.done.length > 1) {
      this.undone.push(this.done.pop());
      Fields.write(JSON.parse(this.done.at(-1)));
    }
    this.selected = undefined;
    this.draw();
  }

  redo() {
    if (!this.undone.length) return;
    this.done.push(this.undone.pop());
    Fields.write(JSON.parse(this.done.at(-1)));
    this.draw();
  }

  draw() {
    const model = Fields.read();
    const { unit } = this;
    for (const group of [this.layer, this.shapes, this.labels]) group.replaceChildren();
    const shape = (name, kind, attributes, part, parent = this.shapes) => {
      const isSelected = part !== undefined && part === this.selected;
      const made = element(name, { class: `${kind}${isSelected ? " selected" : ""}`, ...attributes }, parent);
      if (part !== undefined) made.dataset.part = part;
      return made;
    };
    shape("polygon", "floor", { points: text(parse(model.outline)) }, undefined, this.layer);
    shape("polygon", "walls", { points: text(parse(model.outline)), "stroke-width": unit * 2 });
    model.room.forEach((row, index) => {
      const points = parse(row.points);
      if (points.length < 2) return;
      shape("polygon", "room-edge", { points: text(points), "stroke-width": unit * 2 }, `room-${index}`);
      const middle = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
      element("text", { x: middle[0], y: -middle[1], "font-size": unit * 8, class: "name" }, this.labels).textContent = row.name;
    });
    model.wall.forEach((row, index) => {
      const points = text(parse(row.points));
      shape("polyline", "wall-line", { points, "stroke-width": unit * 4 }, `wall-${index}`);
    });
    model.door.forEach((row, index) => {
      const [at] = parse(row.at);
      if (!at) return;
      shape("circle", "door-mark", { cx: at[0], cy: at[1], r: unit * 4, "stroke-width": unit }, `door-${index}`);
    });
    model.passage.forEach((row, index) => {
      const [at] = parse(row.at);
      if (!at) return;
      const size = unit * 10;
      shape("rect", "passage", {
        x: at[0] - size / 2, y: at[1] - size / 2, width: size, height: size, "stroke-width": unit }, `passage-${index}`);
    });
    for (const corner of this.corners()) shape("circle", "corner", { cx: corner[0], cy: corner[1], r: unit * 1.8 });
    if (this.drawn.length) {
      shape("polyline", "drawing", { points: text(this.drawn), "stroke-width": unit * 2 });
      for (const corner of this.drawn) shape("circle", "drawing-corner", { cx: corner[0], cy: corner[1], r: unit * 2.5 });
    }
    const enable = (name, isEnabled) => {
      editor.querySelector(`[data-do="${name}"]`).disabled = !isEnabled;
    };
    enable("finish", this.drawn.length >= ({ room: 3, wall: 2 }[this.tool] ?? Infinity));
    enable("undo", this.drawn.length > 0 || this.done.length > 1);
    enable("redo", this.undone.length > 0);
    enable("delete", this.selected !== undefined);
  }
}

// Asks before the page is left with a drawing that is not saved.
function guard() {
  let isSaving = false;
  form.addEventListener("submit", () => {
    isSaving = true;
  });
  // A page from the browser's memory can be left again.
  addEventListener("pageshow", () => {
    isSaving = false;
  });
  addEventListener("beforeunload", (event) => {
    if (isSaving || !(form.dataset.unsaved || Fields.areChanged())) return;
    event.preventDefault();
    // Whoever stays can send the other forms again.
    setTimeout(() => {
      for (const other of document.forms) delete other.dataset.sent;
    });
  });
}

if (form) guard();
if (form && editor && svg) {
  editor.hidden = false;
  svg.classList.add("drawn-upon");
  new Editor();
}
