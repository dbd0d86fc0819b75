// The interactive figure of a notebook's cell: lines between tokens, all heads of a layer, one head, and layers × heads, as
// the window draws them. headscope(host, data) fills `host`; _html.py says what `data` holds. No library, no network.
(() => {
"use strict";

// Colours: those of core/scene/colormap.cpp.

const VIRIDIS = (
  "44015444025645045745055946075a46085c460a5d460b5e470d60470e6147106347116447136548146748166848176948186a481a6c481b6d481c6e" +
  "481d6f481f70482071482173482374482475482576482677482878482979472a7a472c7a472d7b472e7c472f7d46307e46327e46337f463480453581" +
  "453781453882443983443a83443b84433d84433e85423f854240864241864142874144874045884046883f47883f48893e49893e4a893e4c8a3d4d8a" +
  "3d4e8a3c4f8a3c508b3b518b3b528b3a538b3a548c39558c39568c38588c38598c375a8c375b8d365c8d365d8d355e8d355f8d34608d34618d33628d" +
  "33638d32648e32658e31668e31678e31688e30698e306a8e2f6b8e2f6c8e2e6d8e2e6e8e2e6f8e2d708e2d718e2c718e2c728e2c738e2b748e2b758e" +
  "2a768e2a778e2a788e29798e297a8e297b8e287c8e287d8e277e8e277f8e27808e26818e26828e26828e25838e25848e25858e24868e24878e23888e" +
  "23898e238a8d228b8d228c8d228d8d218e8d218f8d21908d21918c20928c20928c20938c1f948c1f958b1f968b1f978b1f988b1f998a1f9a8a1e9b8a" +
  "1e9c891e9d891f9e891f9f881fa0881fa1881fa1871fa28720a38620a48621a58521a68522a78522a88423a98324aa8325ab8225ac8226ad8127ad81" +
  "28ae8029af7f2ab07f2cb17e2db27d2eb37c2fb47c31b57b32b67a34b67935b77937b87838b9773aba763bbb753dbc743fbc7340bd7242be7144bf70" +
  "46c06f48c16e4ac16d4cc26c4ec36b50c46a52c56954c56856c66758c7655ac8645cc8635ec96260ca6063cb5f65cb5e67cc5c69cd5b6ccd5a6ece58" +
  "70cf5773d05675d05477d1537ad1517cd2507fd34e81d34d84d44b86d54989d5488bd6468ed64590d74393d74195d84098d83e9bd93c9dd93ba0da39" +
  "a2da37a5db36a8db34aadc32addc30b0dd2fb2dd2db5de2bb8de29bade28bddf26c0df25c2df23c5e021c8e020cae11fcde11dd0e11cd2e21bd5e21a" +
  "d8e219dae319dde318dfe318e2e418e5e419e7e419eae51aece51befe51cf1e51df4e61ef6e620f8e621fbe723fde725"
).match(/.{6}/g).map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));

const THEMES = {
  light: { background: "#ffffff", text: "#1a1c20", muted: "#5b616a", border: "#8d939b", masked: "#e4e5e7", hatch: "#b9bcc1",
           button: "#eef0f2" },
  dark: { background: "#17191d", text: "#e8eaed", muted: "#a3a9b2", border: "#6a7079", masked: "#3a3d42", hatch: "#5c6168",
          button: "#2a2d33" },
};

/** From OKLCH (Ottosson 2020), hue in degrees, with as much less chroma as sRGB needs. */
function oklch(lightness, chroma, hue) {
  const angle = hue * Math.PI / 180;
  for (;; chroma = Math.max(0, chroma - 0.002)) {
    const a = chroma * Math.cos(angle), b = chroma * Math.sin(angle);
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const linear = [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s];
    if (chroma > 0 && linear.some((x) => x < -1e-9 || x > 1 + 1e-9)) continue;
    return linear.map((x) => {
      x = Math.min(1, Math.max(0, x));
      return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
    });
  }
}

/** The same head of another layer has another colour. */
function headColor(head, heads, layer) {
  const place = ((head + 0.618 * layer) % heads) / heads;
  return oklch([0.6, 0.555][(head + layer) % 2], 0.15, 290 + 296 * place);
}

const css = (rgb, opacity = 1) => `rgba(${rgb.join()},${opacity})`;

/** Black or white, whichever is easier to read on the colour (WCAG 2). */
function inkOn(rgb) {
  const [r, g, b] = rgb.map((x) => (x / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000" : "#fff";
}

/** Whether the page around the figure is dark: by what notebooks say of themselves, else by the colour behind it. */
function pageIsDark(host) {
  const body = document.body.dataset;
  if (body.jpThemeLight) return body.jpThemeLight === "false";
  if (body.vscodeThemeKind) return /dark|contrast$/.test(body.vscodeThemeKind);
  if (document.documentElement.getAttribute("theme")) return document.documentElement.getAttribute("theme") === "dark";
  for (let at = host; at; at = at.parentElement) {
    const [r, g, b, alpha = 1] = (getComputedStyle(at).backgroundColor.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
    if (alpha > 0.5) return 0.299 * r + 0.587 * g + 0.114 * b < 128;
  }
  return false;
}

// Weights.

const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

/** The attention of one block: weight(layer, head, query, key), where layers and heads count those that are here. */
class Block {
  constructor(data) {
    Object.assign(this, data);
    this.bytes = bytesOf(data.cells);
    this.queryCount = data.queries.length;
    this.keyCount = data.keys.length;
    this.empty = new Set(data.empty);
    this.colors = [];
    this.images = new Map();
    // Of causal attention only what lies on and below the diagonal is stored.
    this.size = data.causal ? this.queryCount * (this.queryCount + 1) / 2 : this.queryCount * this.keyCount;
  }
  code(layer, head, query, key) {
    if (this.causal && key > query) return 0;
    const row = this.causal ? query * (query + 1) / 2 : query * this.keyCount;
    return this.bytes[(layer * this.heads.length + head) * this.size + row + key];
  }
  largest(layer, head) { return this.largests[layer * this.heads.length + head]; }
  weight(layer, head, query, key) { return this.code(layer, head, query, key) / 255 * this.largest(layer, head); }
  seesNothing(layer, head, query) { return this.empty.has((layer * this.heads.length + head) * this.queryCount + query); }
  color(layer, head) {
    const place = layer * this.heads.length + head;
    return this.colors[place] || (this.colors[place] = headColor(this.heads[head], this.headCount, this.layers[layer]));
  }
  headName(head) { return this.headNames ? this.headNames[this.heads[head]] : `Head ${this.heads[head] + 1}`; }
  /** Queries and keys of a part: all, or those of one sentence and another. */
  part(number) {
    const all = { queries: [0, this.queryCount], keys: [0, this.keyCount] };
    return number === 0 || !this.second ? all : sentences(this.second, this.queryCount)[number - 1];
  }
}

const PARTS = ["All", "A → A", "A → B", "B → A", "B → B"];
function sentences(second, count) {
  const a = [0, second], b = [second, count];
  return [[a, a], [a, b], [b, a], [b, b]].map(([queries, keys]) => ({ queries, keys }));
}

const number = (weight) => weight >= 0.0995 ? weight.toFixed(2) : weight === 0 ? "0" : weight >= 0.001 ? weight.toPrecision(2) : "< 0.001";

// Elements.

function element(name, properties = {}, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const STYLE = `
  :host { display: block; }
  .figure { font: 13px/1.4 system-ui, "Open Sans", "Noto Sans CJK SC", sans-serif; color: var(--text); background: var(--background);
    position: relative; padding: 8px 10px; border-radius: 4px; }
  [hidden] { display: none !important; }
  .bar { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; margin-bottom: 6px; }
  .group { display: flex; gap: 3px; align-items: center; flex-wrap: wrap; }
  button, select { font: inherit; color: var(--text); background: var(--button); border: 1px solid transparent; border-radius: 3px;
    padding: 1px 7px; margin: 0; cursor: pointer; }
  button:hover, select:hover { border-color: var(--border); }
  button:focus-visible, select:focus-visible { outline: 2px solid #2a9d8f; }
  button[aria-pressed=true] { border-color: var(--border); font-weight: 600; }
  button:disabled { opacity: 0.4; cursor: default; }
  .head { padding: 1px 5px; display: inline-flex; gap: 4px; align-items: center; }
  .head i { width: 9px; height: 9px; display: inline-block; }
  .head[aria-pressed=false] { opacity: 0.35; font-weight: 400; }
  .muted { color: var(--muted); font-size: 12px; }
  .scroll { overflow: auto; max-height: 720px; position: relative; }
  canvas { display: block; }
  .tip { position: absolute; pointer-events: none; background: var(--background); color: var(--text); border: 1px solid var(--border);
    border-radius: 3px; padding: 3px 7px; font-size: 12px; white-space: pre; z-index: 5; box-shadow: 0 1px 4px #0006; }
  .tip i { display: inline-block; width: 8px; height: 8px; margin-right: 5px; }
`;

const MOST_LINES = 2000;  // more could not be distinguished

class Figure {
  constructor(host, data) {
    this.host = host;
    this.blocks = data.blocks.map((block) => new Block(block));
    this.theme = THEMES[data.theme === "auto" ? (pageIsDark(host) ? "dark" : "light") : data.theme];
    const layer = Math.max(0, this.blocks[0].layers.indexOf(data.layer));
    this.state = { view: data.view, block: 0, layer, head: 0, part: 0, locked: null };
    this.chosen = new Set(data.chosen.map((head) => this.blocks[0].heads.indexOf(head)).filter((head) => head >= 0));
    this.pointed = null;
    this.lines = { place: null, all: [] };  // the strongest of what is shown
    this.build();
    new ResizeObserver(() => this.draw()).observe(this.scroll);
  }

  get block() { return this.blocks[this.state.block]; }

  build() {
    const root = this.host.attachShadow({ mode: "open" });
    this.figure = element("div", { className: "figure" });
    for (const [name, value] of Object.entries(this.theme)) this.figure.style.setProperty("--" + name, value);
    this.bar = element("div", { className: "bar" });
    this.headBar = element("div", { className: "bar" });
    this.canvas = element("canvas");
    this.scroll = element("div", { className: "scroll" }, [this.canvas]);
    this.tip = element("div", { className: "tip", hidden: true });
    this.figure.append(this.bar, this.headBar, this.scroll, this.tip);
    root.append(element("style", { textContent: STYLE }), this.figure);
    this.canvas.addEventListener("mousemove", (event) => this.point(event));
    this.canvas.addEventListener("mouseleave", () => { this.pointed = null; this.tip.hidden = true; this.draw(); });
    this.canvas.addEventListener("click", (event) => this.click(event));
    this.controls();
  }

  /** Another view, block, layer, head or part. */
  show(change) {
    Object.assign(this.state, { locked: null }, change);
    if ("block" in change) {
      this.state.layer = Math.min(this.state.layer, this.block.layers.length - 1);
      this.state.head = Math.min(this.state.head, this.block.heads.length - 1);
      this.chosen = new Set(this.block.heads.keys());
    }
    this.pointed = null;
    this.tip.hidden = true;
    this.controls();
    this.draw();
  }

  controls() {
    const { view, layer, block, part } = this.state;
    const views = [["grid", "All heads"], ["lines", "Lines"], ["layers", "Layers × heads"]];
    const groups = [views.map(([name, text]) => this.button(text, () => this.show({ view: name }), view === name))];
    if (this.blocks.length > 1)
      groups.push([this.select("Block", this.blocks.map((one) => one.name), block, (i) => this.show({ block: i, part: 0 }))]);
    if (view !== "layers") groups.push(this.layerControls());
    if (view === "head") groups.push(this.headControls());
    if (this.block.second) groups.push([this.select("Tokens", PARTS, part, (i) => this.show({ part: i }))]);
    const module = view === "layers" ? "" : (this.block.modules || [])[layer] || "";
    groups.push([element("span", { className: "muted", textContent: module })]);
    this.bar.replaceChildren(...groups.map((group) => element("span", { className: "group" }, group)));
    this.headBar.hidden = view === "layers" || view === "head";
    this.headBar.replaceChildren(...this.headButtons());
  }

  button(text, press, pressed) {
    const made = element("button", { type: "button", textContent: text, onclick: press });
    if (pressed !== undefined) made.setAttribute("aria-pressed", pressed);
    return made;
  }

  select(title, texts, chosen, change) {
    const options = texts.map((text, i) => element("option", { textContent: text, value: i, selected: i === chosen }));
    const made = element("select", { title, onchange: () => change(Number(made.value)) }, options);
    made.setAttribute("aria-label", title);
    return made;
  }

  layerControls() {
    const { layer } = this.state, { layers } = this.block;
    const step = (text, by, title) => Object.assign(this.button(text, () => this.show({ layer: layer + by })),
                                                    { disabled: !(layer + by in layers), title });
    return [step("‹", -1, "Previous layer"), this.select("Layer", layers.map((l) => `Layer ${l + 1}`), layer, (i) => this.show({ layer: i })),
            step("›", 1, "Next layer")];
  }

  headControls() {
    const { head } = this.state, { heads } = this.block;
    const step = (text, by, title) => Object.assign(this.button(text, () => this.show({ head: head + by })),
                                                    { disabled: !(head + by in heads), title });
    return [step("‹", -1, "Previous head"), this.select("Head", heads.map((_, i) => this.block.headName(i)), head, (i) => this.show({ head: i })),
            step("›", 1, "Next head")];
  }

  headButtons() {
    const all = this.button("All", () => { this.chosen = new Set(this.block.heads.keys()); this.show({}); });
    return [all, ...this.block.heads.map((head, i) => {
      const square = element("i");
      square.style.background = css(this.block.color(this.state.layer, i));
      const made = element("button", { type: "button", className: "head", title: `${this.block.headName(i)}: click to show or hide it, double click for it alone` },
                           [square, this.block.headNames ? this.block.headName(i) : String(head + 1)]);
      made.setAttribute("aria-pressed", this.chosen.has(i));
      made.onclick = () => { if (!this.chosen.delete(i)) this.chosen.add(i); this.show({}); };
      made.ondblclick = () => { this.chosen = new Set([i]); this.show({}); };
      return made;
    })];
  }

  // Drawing.

  draw() {
    const width = this.scroll.clientWidth;
    if (width === 0) return;
    this.marks = [];  // what can be pointed at, in the order in which it is looked at
    const context = this.canvas.getContext("2d");
    context.font = "600 13px system-ui, sans-serif";
    const draw = { lines: drawLines, grid: drawGrid, head: drawHead, layers: drawLayers }[this.state.view];
    draw(this, context, width);
  }

  /** A canvas of this size, at the screen's resolution. */
  begin(context, width, height) {
    const scale = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * scale) || this.canvas.height !== Math.round(height * scale)) {
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = this.theme.background;
    context.fillRect(0, 0, width, height);
  }

  text(context, text, x, y, { align = "left", size = 13, color = this.theme.text, bold = false, room = Infinity } = {}) {
    context.font = `${bold ? "600 " : ""}${size}px system-ui, sans-serif`;
    context.fillStyle = color;
    context.textAlign = align;
    context.textBaseline = "middle";
    context.fillText(shortened(context, text, room), x, y);
  }

  // Pointing.

  point(event) {
    const found = this.marks.find((mark) => mark.covers(event.offsetX, event.offsetY)) || null;
    if ((found && found.key) !== (this.pointed && this.pointed.key)) {
      this.pointed = found;
      this.draw();
    }
    this.canvas.style.cursor = found && found.press ? "pointer" : "default";
    this.tell(found, event);
  }

  tell(mark, event) {
    this.tip.hidden = !(mark && mark.tip);
    if (this.tip.hidden) return;
    this.tip.replaceChildren(...mark.tip().flatMap((line, i) => [...(i ? ["\n"] : []), ...line]));
    const frame = this.figure.getBoundingClientRect(), box = this.tip.getBoundingClientRect();
    const x = event.clientX - frame.left + 14, y = event.clientY - frame.top + 14;
    this.tip.style.left = `${Math.max(0, Math.min(x, frame.width - box.width - 4))}px`;
    this.tip.style.top = `${y + box.height > frame.height ? Math.max(0, y - box.height - 24) : y}px`;
  }

  click(event) {
    const mark = this.marks.find((one) => one.press && one.covers(event.offsetX, event.offsetY));
    if (mark) mark.press();
    else if (this.state.locked) this.show({});
  }
}

const shown = (text) => text.replace(/\n/g, "⏎").replace(/^\s+$/, "␣") || "∅";

function shortened(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && context.measureText(letters.join("") + "…").width > room) letters.pop();
  return letters.join("") + "…";
}

function widest(context, texts, room) {
  return Math.min(room, texts.reduce((width, text) => Math.max(width, context.measureText(shown(text)).width), 0));
}

const within = (left, top, width, height) => (x, y) => x >= left && x < left + width && y >= top && y < top + height;

// Lines.

/** The strongest lines of the chosen heads, weakest first; with `only` those of one token. */
function strongest(figure, only) {
  const { state, chosen } = figure, place = [state.block, state.layer, state.part, ...chosen].join();
  if (only) return findStrongest(figure, only);
  if (figure.lines.place !== place) figure.lines = { place, all: findStrongest(figure, null) };
  return figure.lines.all;
}

function findStrongest(figure, only) {
  const weights = new Float32Array(countLines(figure, only, () => {}));
  let count = 0;
  countLines(figure, only, (line) => { weights[count++] = line.weight; });
  weights.sort();
  const weakest = count > MOST_LINES ? weights[count - MOST_LINES] : 0, lines = [];
  countLines(figure, only, (line) => { if (line.weight >= weakest) lines.push({ ...line }); });
  return lines.sort((a, b) => a.weight - b.weight).slice(-MOST_LINES);
}

/** Calls `see` with each line of the chosen heads (one object, which changes); how many there are. */
function countLines({ block, chosen, state }, only, see) {
  const part = block.part(state.part), line = {};
  const [q0, q1] = only && only.side === "query" ? [only.token, only.token + 1] : part.queries;
  const [k0, k1] = only && only.side === "key" ? [only.token, only.token + 1] : part.keys;
  let count = 0;
  for (line.head of chosen)
    for (line.query = q0; line.query < q1; ++line.query)
      for (line.key = k0; line.key < k1; ++line.key) {
        line.weight = block.weight(state.layer, line.head, line.query, line.key);
        if (line.weight > 0) ++count, see(line);
      }
  return count;
}

function drawLines(figure, context, width) {
  const { block, state, theme, pointed } = figure, part = block.part(state.part);
  const queries = block.queries.slice(...part.queries), keys = block.keys.slice(...part.keys);
  const rows = Math.max(queries.length, keys.length), row = rows > 60 ? 16 : rows > 30 ? 20 : 26, top = 22;
  figure.begin(context, width, top + rows * row + 8);
  const heads = [...figure.chosen].sort((a, b) => a - b), blocks = Math.min(6.5 * heads.length, 80, 0.1 * width);
  const left = widest(context, queries, 0.25 * width), right = widest(context, keys, 0.25 * width);
  const length = Math.max(60, Math.min(width - left - right - 2 * blocks - 24, 640)), x0 = (width - length) / 2 + (left - right) / 2, x1 = x0 + length;
  const middle = (token, side) => top + (token - part[side === "query" ? "queries" : "keys"][0] + 0.5) * row;
  const end = (token, side, head) => middle(token, side) + row * (heads.length < 2 ? 0 : 0.5 * heads.indexOf(head) / (heads.length - 1) - 0.25);
  const only = state.locked || (pointed && pointed.token) || null;
  const lines = strongest(figure, only), all = only ? strongest(figure, null) : lines;
  const largest = all.length ? all[all.length - 1].weight : 1;
  const color = (head) => block.color(state.layer, head);
  for (const line of lines) {
    const share = Math.min(1, line.weight / largest), marked = pointed && pointed.line && pointed.key === lineKey(line);
    const opacity = marked ? 1 : (0.03 + 0.87 * share * share) * (pointed && pointed.line ? 0.35 : 1);
    context.strokeStyle = css(color(line.head), opacity);
    context.lineWidth = Math.max(0.5, (0.03 + 0.19 * share + (marked ? 0.08 : 0)) * 13);
    context.beginPath();
    context.moveTo(x0, end(line.query, "query", line.head));
    context.lineTo(x1, end(line.key, "key", line.head));
    context.stroke();
  }
  const ends = { query: new Map(), key: new Map() };
  for (const line of lines)
    for (const side of ["query", "key"]) {
      const place = `${line[side]},${line.head}`;
      ends[side].set(place, Math.max(ends[side].get(place) || 0, line.weight));
    }
  for (const side of ["query", "key"]) {
    const texts = side === "query" ? queries : keys, first = part[side === "query" ? "queries" : "keys"][0];
    const x = side === "query" ? x0 - blocks - 6 : x1 + blocks + 6, align = side === "query" ? "right" : "left";
    figure.text(context, side === "query" ? "Query" : "Key", x, 10, { align, size: 11, color: theme.muted });
    texts.forEach((text, i) => {
      const token = first + i, key = `${side} ${token}`, w = blocks / Math.max(1, heads.length);
      heads.forEach((head, place) => {
        const weight = ends[side].get(`${token},${head}`) || 0;
        context.fillStyle = css(color(head), Math.min(1, weight / largest));
        context.fillRect((side === "query" ? x0 - blocks : x1) + place * w + 0.5, middle(token, side) - 0.36 * row, Math.max(1, w - 1), 0.72 * row);
      });
      const marked = (pointed && pointed.key === key) || (state.locked && state.locked.side === side && state.locked.token === token);
      figure.text(context, shown(text), x, middle(token, side), { align, bold: marked, room: 0.25 * width });
      const label = side === "query" ? left : right;
      const mark = { key, token: { side, token }, tip: () => tokenTip(figure, { side, token }),
                     covers: within(side === "query" ? x - label : x1, middle(token, side) - row / 2, label + blocks + 6, row) };
      mark.press = () => {
        const again = state.locked && state.locked.side === side && state.locked.token === token;
        figure.show({ locked: again ? null : { side, token } });
      };
      figure.marks.push(mark);
    });
  }
  // Of the lines under the pointer the strongest.
  for (const line of lines.slice().reverse()) {
    const ya = end(line.query, "query", line.head), yb = end(line.key, "key", line.head);
    const covers = (x, y) => x > x0 && x < x1 && Math.abs(ya + (yb - ya) * (x - x0) / length - y) < 3;
    figure.marks.push({ key: lineKey(line), line, covers, tip: () => [[block.headName(line.head)], lineTip(figure, line)] });
  }
}

const lineKey = (line) => `line ${line.head},${line.query},${line.key}`;

function square(color) {
  const made = element("i");
  made.style.background = css(color);
  return made;
}

function lineTip({ block, state }, line) {
  return [square(block.color(state.layer, line.head)),
          `${number(line.weight)}   ${shown(block.queries[line.query])} → ${shown(block.keys[line.key])}`];
}

function tokenTip(figure, token) {
  const { block, state } = figure, lines = strongest(figure, token).slice(-6).reverse();
  const heading = token.side === "query" ? "Keys this query attends to most" : "Queries that attend to this key most";
  return [[heading], ...lines.map((line) => [
    square(block.color(state.layer, line.head)),
    `${number(line.weight)}   ${shown(token.side === "query" ? block.keys[line.key] : block.queries[line.query])}`])];
}

// Maps.

function mapImage(block, layer, head, part, theme) {
  const place = [layer, head, ...part.queries, ...part.keys].join();
  if (!block.images.has(place)) block.images.set(place, drawImage(block, layer, head, part, theme));
  return block.images.get(place);
}

/** A head's map, a pixel for each cell, by its own range as the window has it by default. */
function drawImage(block, layer, head, part, theme) {
  const [q0, q1] = part.queries, [k0, k1] = part.keys;
  const image = element("canvas", { width: k1 - k0, height: q1 - q0 }), context = image.getContext("2d");
  const pixels = context.createImageData(k1 - k0, q1 - q0);
  const masked = [1, 3, 5].map((at) => parseInt(theme.masked.slice(at, at + 2), 16));
  let at = 0;
  pixels.data.fill(255);
  for (let query = q0; query < q1; ++query)
    for (let key = k0; key < k1; ++key, at += 4)
      [pixels.data[at], pixels.data[at + 1], pixels.data[at + 2]] =
        block.seesNothing(layer, head, query) ? masked : VIRIDIS[block.code(layer, head, query, key)];
  context.putImageData(pixels, 0, 0);
  return image;
}

/** A map in a rectangle, with tokens beside and below where they fit and numbers in the cells where `numbers`. */
function drawMap(figure, context, layer, head, { x, y, cell, label, bottom, numbers, open }) {
  const { block, theme, state, pointed } = figure, part = block.part(state.part);
  const queries = block.queries.slice(...part.queries), keys = block.keys.slice(...part.keys);
  const w = cell * keys.length, h = cell * queries.length;
  context.imageSmoothingEnabled = false;
  context.drawImage(mapImage(block, layer, head, part, theme), x, y, w, h);
  queries.forEach((_, i) => { if (block.seesNothing(layer, head, part.queries[0] + i)) hatch(context, theme, x, y + i * cell, w, cell); });
  context.strokeStyle = theme.border;
  context.lineWidth = 1;
  context.strokeRect(x - 0.5, y - 0.5, w + 1, h + 1);
  const at = pointed && pointed.cell && pointed.layer === layer && pointed.head === head ? pointed.cell : null;
  const size = Math.min(13, 0.9 * cell), step = Math.max(1, Math.ceil(9 / cell));
  if (label)
    queries.forEach((text, i) => {
      const marked = at !== null && at.query === part.queries[0] + i;
      if (i % step === 0 || marked)
        figure.text(context, shown(text), x - 5, y + (i + 0.5) * cell, { align: "right", size: Math.max(9, size), room: label - 6, bold: marked });
    });
  if (bottom)
    keys.forEach((text, i) => {
      const marked = at !== null && at.key === part.keys[0] + i;
      if (i % step !== 0 && !marked) return;
      context.save();
      context.translate(x + (i + 0.5) * cell, y + h + 5);
      context.rotate(-Math.PI / 2);
      figure.text(context, shown(text), 0, 0, { align: "right", size: Math.max(9, size), room: bottom - 6, bold: marked });
      context.restore();
    });
  if (numbers && cell >= 28)
    queries.forEach((_, i) => keys.forEach((__, j) => {
      const [query, key] = [part.queries[0] + i, part.keys[0] + j];
      if (block.seesNothing(layer, head, query)) return;
      figure.text(context, block.weight(layer, head, query, key).toFixed(2), x + (j + 0.5) * cell, y + (i + 0.5) * cell,
                  { align: "center", size: Math.min(12, 0.36 * cell), color: inkOn(VIRIDIS[block.code(layer, head, query, key)]) });
    }));
  if (at) {
    context.strokeStyle = "#e01060";
    context.lineWidth = 2;
    context.strokeRect(x + (at.key - part.keys[0]) * cell, y + (at.query - part.queries[0]) * cell, cell, cell);
  }
  figure.marks.push(mapMark(figure, layer, head, { x, y, w, h, cell, part, open }));
}

/** The cell of a map under the pointer. */
function mapMark(figure, layer, head, { x, y, w, h, cell, part, open }) {
  const { block } = figure, inside = within(x, y, w, h);
  const mark = { layer, head, cell: null, key: null, press: open };
  mark.covers = (px, py) => {
    if (!inside(px, py)) return false;
    const query = part.queries[0] + Math.min(part.queries[1] - part.queries[0] - 1, Math.floor((py - y) / cell));
    const key = part.keys[0] + Math.min(part.keys[1] - part.keys[0] - 1, Math.floor((px - x) / cell));
    mark.cell = { query, key };
    mark.key = `cell ${layer},${head},${query},${key}`;
    return true;
  };
  mark.tip = () => {
    const { query, key } = mark.cell, title = `Layer ${block.layers[layer] + 1} · ${block.headName(head)}`;
    const nothing = block.seesNothing(layer, head, query);
    return [[title], nothing ? [`${shown(block.queries[query])}: no key to attend to`]
                             : lineTip({ block, state: { layer } }, { head, query, key, weight: block.weight(layer, head, query, key) })];
  };
  return mark;
}

function hatch(context, theme, x, y, w, h) {
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  context.strokeStyle = theme.hatch;
  context.lineWidth = 1;
  context.beginPath();
  for (let at = x - h; at < x + w; at += 5) {
    context.moveTo(at, y + h);
    context.lineTo(at + h, y);
  }
  context.stroke();
  context.restore();
}

/** Room for the tokens beside and below a map, the marked ones bold. */
function labelRooms(figure, context, most) {
  const { block, state } = figure, part = block.part(state.part);
  context.font = "600 13px system-ui, sans-serif";
  return [block.queries.slice(...part.queries), block.keys.slice(...part.keys)].map((texts) => widest(context, texts, most) + 10);
}

function drawGrid(figure, context, width) {
  const { block, state } = figure, part = block.part(state.part), heads = [...figure.chosen].sort((a, b) => a - b);
  const [label, bottom] = labelRooms(figure, context, 90), rows = part.queries[1] - part.queries[0], keys = part.keys[1] - part.keys[0];
  const columns = Math.max(1, Math.min(heads.length, 4, Math.floor(width / (label + 170)))), gap = 16;
  const cell = Math.max(1, Math.min((width / columns - label - gap) / keys, 420 / Math.max(rows, keys)));
  const high = 22 + rows * cell + bottom + gap;
  figure.begin(context, width, Math.max(40, Math.ceil(heads.length / columns) * high));
  heads.forEach((head, i) => {
    const x = (i % columns) * (width / columns) + label, y = Math.floor(i / columns) * high + 22;
    figure.text(context, block.headName(head), x + keys * cell / 2, y - 11, { align: "center" });
    drawMap(figure, context, state.layer, head, { x, y, cell, label, bottom, numbers: true, open: () => figure.show({ view: "head", head }) });
  });
}

function drawHead(figure, context, width) {
  const { state, block } = figure, part = block.part(state.part), [label, bottom] = labelRooms(figure, context, 0.25 * width);
  const rows = part.queries[1] - part.queries[0], keys = part.keys[1] - part.keys[0];
  const cell = Math.max(2, Math.min((width - label - 10) / keys, 48, 640 / Math.min(rows, 64)));
  figure.begin(context, Math.max(width, label + keys * cell + 4), 8 + rows * cell + bottom);
  drawMap(figure, context, state.layer, state.head, { x: label, y: 4, cell, label, bottom, numbers: true });
}

function drawLayers(figure, context, width) {
  const { block, theme, state } = figure, part = block.part(state.part), label = 66, gap = 6;
  const rows = part.queries[1] - part.queries[0], keys = part.keys[1] - part.keys[0];
  const tile = Math.max(28, Math.min(120, (width - label) / block.heads.length - gap));
  const cell = Math.min(tile / keys, tile / rows), high = rows * cell + gap;
  figure.begin(context, Math.max(width, label + block.heads.length * (tile + gap)), 22 + block.layers.length * high + 26);
  const short = tile < 52;
  block.heads.forEach((head, i) =>
    figure.text(context, short ? `${head + 1}` : `Head ${head + 1}`, label + i * (tile + gap) + keys * cell / 2, 10, { align: "center", size: 12 }));
  block.layers.forEach((layer, l) => {
    figure.text(context, `Layer ${layer + 1}`, label - 8, 22 + l * high + rows * cell / 2, { align: "right", size: 12 });
    block.heads.forEach((_, head) => drawMap(figure, context, l, head, {
      x: label + head * (tile + gap), y: 22 + l * high, cell, open: () => figure.show({ view: "head", layer: l, head }) }));
  });
  drawScale(figure, context, label, 22 + block.layers.length * high + 12, theme);
}

/** What the colours mean. */
function drawScale(figure, context, x, y, theme) {
  VIRIDIS.forEach((rgb, i) => { context.fillStyle = css(rgb); context.fillRect(x + 44 + i / 2, y - 5, 1, 10); });
  figure.text(context, "lowest", x + 40, y, { align: "right", size: 11, color: theme.muted });
  figure.text(context, "highest weight of each head", x + 178, y, { size: 11, color: theme.muted });
}

// A notebook may show the same output twice: every place of this name that has no figure yet gets one.
window.headscope = (id, data) => {
  for (const host of document.querySelectorAll(`[id="${id}"]`))
    if (!host.shadowRoot) host.figure = new Figure(host, data);
};
})();
