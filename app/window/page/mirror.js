// What the program draws, as elements of the document in the same places, for those who hear the page (tell_items() in
// app/window/window.cpp). They cannot be seen, and pointers go through them to the canvas; what is done with them goes
// to the program.
addToLibrary({
  $mirror__deps: ['$page', '$stringToNewUTF8', 'free'],
  $mirror: {
    root: null,
    items: [],            // as last told
    elements: null,       // by the ids of their items; each has its item
    moves: false,         // the focus, to where the program has it
    edited: -1e9,         // when a field was last edited here, ms
    asked: -1e9,          // when the program was last asked for the keyboard or a press
    forwarded: null,      // keys that the program has seen go down
    way: null,            // the element that says how one goes from one to another
    tableButton: null,
    table: null,
    asks: {press: 0, value: 1, text: 2, focus: 3, table: 4},
    ask: (what, id = 0, value = 0, text = null) => {
      const memory = text === null ? 0 : stringToNewUTF8(text);
      _page_on_heard(mirror.asks[what], id, value, memory);
      if (memory) _free(memory);
    },

    tags: {text: 'p', status: 'div', img: 'div', progressbar: 'div', slider: 'input', textbox: 'input'},
    isGroup: (role) => /^(group|region|main|navigation|dialog|menubar|menu|listbox|radiogroup)$/.test(role),
    tagOf: ({role, level, lines}) => {
      if (role === 'heading') return 'h' + (level || 2);
      if (lines) return 'textarea';
      return mirror.tags[role] || (mirror.isGroup(role) ? 'div' : 'button');
    },
    kindOf: (item) => mirror.tagOf(item) + (item.role === 'slider' ? ' range' : '') + (item.level || ''),
    create: (item) => {
      const element = document.createElement(mirror.tagOf(item)), {tagName} = element;
      if (tagName === 'BUTTON') element.type = 'button';
      if (item.role === 'slider') element.type = 'range';
      if (item.role === 'textbox') element.autocomplete = 'off';
      if (item.role === 'img' || /^(BUTTON|INPUT|TEXTAREA)$/.test(tagName)) element.tabIndex = -1;
      if (tagName !== 'BUTTON' || !item.level) return element;
      // What unfolds below a heading is a button in it.
      const heading = document.createElement('h' + item.level);
      Object.assign(heading.style, {position: 'static', overflow: 'visible'});
      heading.append(element);
      heading.inner = element;
      return heading;
    },
    innerOf: (element) => element.inner || element,
    set: (element, name, value) => {
      if (value === undefined || value === null || value === '') element.removeAttribute(name);
      else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
    },
    roleOf: ({role, on}) => {
      if (/^(text|heading|slider|textbox|button)$/.test(role)) return null;  // those of their elements
      return role === 'menuitem' && on !== undefined ? 'menuitemcheckbox' : role;
    },
    update: (element, item) => {
      const {role, value, range, on, open, disabled, rect, place} = item, name = item.name || '';
      const set = (attribute, to) => mirror.set(element, attribute, to);
      set('role', mirror.roleOf(item));
      if (/^(text|heading|status)$/.test(role)) {
        if (element.textContent !== name) element.textContent = name;
      } else {
        set('aria-label', name);
      }
      if (role === 'combobox' && element.textContent !== (value || '')) element.textContent = value || '';
      if (role === 'menuitem') set('aria-keyshortcuts', value && value.replace('Ctrl', 'Control'));
      const says = role === 'button' || role === 'img';
      set('aria-description', [says && value, item.help].filter((text) => text).join('\n'));
      set('aria-current', item.current);
      set('aria-posinset', place && place[0]);
      set('aria-setsize', place && place[1]);
      const checked = role === 'checkbox' || role === 'radio' || role === 'menuitem';
      set('aria-checked', checked ? on : null);
      set('aria-selected', role === 'option' ? on || false : null);
      set('aria-pressed', role === 'button' ? on : null);
      set('aria-expanded', open);
      set('aria-haspopup', open === undefined ? null : {combobox: 'listbox', menuitem: 'menu'}[role]);
      set('aria-disabled', disabled);
      set('aria-modal', role === 'dialog' ? true : null);
      if (range) {
        const [low, high, now, whole] = range;
        if (role === 'slider') {
          Object.assign(element, {min: low, max: high, step: whole ? 1 : 'any'});
          if (element.value !== String(now)) element.value = now;
          set('aria-valuetext', value);
        } else {
          set('aria-valuemin', low), set('aria-valuemax', high), set('aria-valuenow', now);
        }
      }
      // What is edited here is ahead of what the program has.
      const ahead = element === document.activeElement && performance.now() - mirror.edited < 1000;
      if (role === 'textbox' && !ahead && element.value !== (value || '')) element.value = value || '';
      if (role === 'textbox') element.readOnly = disabled === true;
      if (!mirror.isGroup(role)) {
        const [left, top, right, bottom] = rect;
        Object.assign(element.style, {left: left + 'px', top: top + 'px', width: Math.max(1, right - left) + 'px',
                                      height: Math.max(1, bottom - top) + 'px'});
      }
    },

    show: ({items, table, way}) => {
      mirror.listen();
      if (mirror.way.textContent !== way) mirror.way.textContent = way;
      const {left, top} = page.canvas.getBoundingClientRect();
      Object.assign(mirror.root.style, {left: left + 'px', top: top + 'px'});
      const held = mirror.root.contains(document.activeElement);
      const told = new Map(items.map((item) => [item.id, item]));
      for (const [id, element] of mirror.elements) {
        const item = told.get(id);
        if (item && mirror.kindOf(item) === element.kind) continue;
        element.remove();
        mirror.elements.delete(id);
      }
      const parents = [], next = new Map([[mirror.root, mirror.way.nextSibling]]);  // of each parent, the child that is to be the next
      for (const item of items) {
        let element = mirror.elements.get(item.id);
        const anew = JSON.stringify(item);
        if (!element) mirror.elements.set(item.id, element = mirror.create(item));
        const inner = mirror.innerOf(element);
        if (element.told !== anew) mirror.update(inner, item);
        inner.item = item;
        Object.assign(element, {told: anew, kind: mirror.kindOf(item)});
        parents.push(element);
        const parent = item.parent < 0 ? mirror.root : parents[item.parent];
        const place = next.has(parent) ? next.get(parent) : parent.firstChild;
        if (place === element) next.set(parent, element.nextSibling);
        else parent.insertBefore(element, place), next.set(parent, place);
      }
      mirror.items = items;
      const behind = items.some(({role}) => role === 'dialog');
      mirror.tableButton.hidden = behind;
      if (mirror.table) mirror.table.hidden = behind;
      mirror.set(mirror.tableButton, 'aria-label', table);
      if (!mirror.tableButton.parentNode) mirror.root.append(mirror.tableButton);
      mirror.follow(held);
    },
    // The focus goes to where the program's keyboard is: typed text to the field that takes it, what it is told by name.
    follow: (held) => {
      const active = document.activeElement, inside = mirror.root.contains(active);
      const there = mirror.items.filter(({focused}) => focused), field = there.find(({role}) => role === 'textbox');
      const item = field || there[0], isField = Boolean(field);
      mirror.set(page.input, 'aria-label', isField ? item.name : 'Headscope');
      mirror.set(page.input, 'aria-description', isField ? item.value : mirror.way.textContent);
      if (page.composed !== null || !(inside || held || active === page.input || active === document.body)) return;
      // It has just taken text: what it says of the keyboard may be older.
      if (active === page.input && performance.now() - page.askedForText < 200) return;
      // What was asked for here is not done yet.
      if (inside && performance.now() - mirror.asked < 500) return;
      const edited = inside && active.item && active.item.role === 'textbox';
      if (edited && (!item || item.id === active.item.id)) return;
      const found = item && !isField && mirror.elements.get(item.id);
      const element = found && (inside || held || !item.quiet) ? mirror.innerOf(found) : null;
      const to = isField ? page.input : element || (inside ? null : page.input);
      if (!to || to === active) return;
      mirror.moves = true;
      to.focus({preventScroll: true});
      mirror.moves = false;
    },

    // To text that the program takes: the element that has the focus would be pressed by its spaces.
    giveWay: () => {
      const {activeElement} = document;
      if (!mirror.root || !mirror.root.contains(activeElement) || performance.now() - mirror.asked < 500) return;
      if (!activeElement.item || activeElement.item.role !== 'textbox') page.input.focus({preventScroll: true});
    },

    // Keys are the program's, but for those by which the browser changes or presses the element that has the focus. Returns
    // whether the key has been dealt with.
    takesKey: (event) => {
      const {target, key} = event;
      if (!mirror.root || !mirror.root.contains(target)) return false;
      const role = target.item ? target.item.role : 'button';
      const prints = [...key].length === 1, commands = (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph');
      const edits = /^(Arrow.*|Home|End|Backspace|Delete|Shift|Control|Process|Dead)$/.test(key) || event.isComposing;
      if (role === 'textbox' && (edits || (prints && (commands ? /^[acvxyz]$/i.test(key) && !event.shiftKey : true)))) return true;
      if (role === 'slider' && /^(Arrow.*|Home|End|Page.*)$/.test(key)) return true;
      const presses = (key === 'Enter' || key === ' ') && role !== 'textbox' && role !== 'slider';
      if (presses && !event.ctrlKey && !event.altKey) return true;
      if (prints && !event.ctrlKey && !event.altKey && !event.metaKey) return false;
      mirror.forwarded.add(event.code || key);
      page.onKey(event);
      return true;
    },
    listen: () => {
      if (mirror.root) return;
      Object.assign(mirror, {elements: new Map(), forwarded: new Set()});  // the linker copies plain objects only
      const root = mirror.root = document.getElementById('mirror');
      const idOf = ({target}) => target.item && target.item.id;
      root.addEventListener('click', (event) => {
        const {item} = event.target;
        mirror.asked = performance.now();
        if (event.target === mirror.tableButton) mirror.toggleTable();
        else if (item && !item.disabled && event.target.tagName === 'BUTTON') mirror.ask('press', item.id);
      });
      root.addEventListener('focusin', (event) => {
        const {item} = event.target;
        if (mirror.moves || !item || item.disabled) return;
        mirror.asked = performance.now();
        mirror.ask(item.role === 'textbox' ? 'press' : 'focus', item.id);
      });
      const edit = (event) => {
        if (event.isComposing || !event.target.item) return;
        mirror.edited = performance.now();
        if (event.target.item.role === 'slider') mirror.ask('value', idOf(event), Number(event.target.value));
        else mirror.ask('text', idOf(event), 0, event.target.value);
      };
      root.addEventListener('input', edit);
      root.addEventListener('compositionend', edit);
      root.addEventListener('keyup', (event) => {
        if (mirror.forwarded.delete(event.code || event.key)) page.onKey(event);
      });
      mirror.way = document.createElement('p');
      root.append(mirror.way);
      const button = mirror.tableButton = document.createElement('button');
      Object.assign(button, {type: 'button', tabIndex: -1, id: 'map-as-table'});
      button.setAttribute('aria-expanded', 'false');
    },

    // The map that is shown when it is asked for.
    toggleTable: () => {
      const opens = mirror.table === null;
      mirror.ask('table', 0, opens ? 1 : 0);
      mirror.tableButton.setAttribute('aria-expanded', opens);
      if (opens) {
        mirror.table = document.createElement('table');
      } else {
        mirror.table.remove();
        mirror.table = null;
      }
    },
    // It follows the program: cells stay where they are, and so does who reads them.
    showTable: (title, text) => {
      const {table} = mirror;
      if (!table) return;
      const say = (element, said) => {
        if (element.textContent !== said) element.textContent = said;
      };
      const cellOf = (row, x, header) => {
        if (row.cells[x]) return row.cells[x];
        const cell = row.appendChild(document.createElement(header || x === 0 ? 'th' : 'td'));
        if (cell.tagName === 'TH') cell.scope = header ? 'col' : 'row';
        return cell;
      };
      say(table.caption || table.createCaption(), title);
      const lines = text.split('\n').filter((line) => line !== '').map((line) => line.split('\t'));
      lines.forEach((line, y) => {
        const row = table.rows[y] || table.insertRow();
        line.forEach((said, x) => say(cellOf(row, x, y === 0), said));
        while (row.cells.length > line.length) row.deleteCell(-1);
      });
      while (table.rows.length > lines.length) table.deleteRow(-1);
      if (!table.parentNode) mirror.root.append(table);
    },
  },

  page_tell_items__deps: ['$mirror'],
  page_tell_items: (json) => mirror.show(JSON.parse(UTF8ToString(json))),
  page_tell_table__deps: ['$mirror'],
  page_tell_table: (title, text) => mirror.showTable(UTF8ToString(title), UTF8ToString(text)),
});
