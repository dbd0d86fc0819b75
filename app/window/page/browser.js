// What the window asks of the browser (app/window/glfw_browser.cpp, portal_browser.cpp, clipboard_picture_browser.cpp).
addToLibrary({
  $page: {
    text: '',         // on the clipboard, as last known
    picture: null,    // pasted, bytes
    answer: null,     // of a file chooser: a path, '' if cancelled
    offered: {},      // files already downloaded, and their times
    warnings: [],     // numbers of BrowserWarning, for the program
    warn: (about) => {
      page.warnings.push(['work not kept', 'storage full'].indexOf(about));
      if (runtimeInitialized) _page_on_change();
    },
    goes: false,      // away: the page is left, perhaps for good
    fills: false,     // the screen, until the program or the user ends it
    touched: -1e9,    // when a finger last left the screen, ms
    clicked: -1e9,    // when a button of a mouse last went down
    askedForText: -1e9,  // when the program last had a caret
    canvas: null,
    left: 0, top: 0, width: 0, height: 0,  // of the canvas in CSS pixels, as the program has it
    input: null,      // the hidden field that takes text, also from input methods
    // What is always in it where there is a keyboard on the screen, which reports no Backspace in an empty field. It has no
    // width, but is read aloud.
    guard: '\u200b',
    composed: null,   // by an input method, not yet chosen; null: nothing is composed
    shownText: null,  // of that in the program; null: nothing, as the field shows it
    onScreen: false,  // the keyboard last used was one on the screen

    // Keys by their position on the keyboard.
    keys: (() => {
      const keys = {
        Space: 32, Quote: 39, Comma: 44, Minus: 45, Period: 46, Slash: 47, Semicolon: 59, Equal: 61, BracketLeft: 91,
        Backslash: 92, BracketRight: 93, Backquote: 96, IntlBackslash: 161, Escape: 256, Enter: 257, Tab: 258,
        Backspace: 259, Insert: 260, Delete: 261, ArrowRight: 262, ArrowLeft: 263, ArrowDown: 264, ArrowUp: 265,
        PageUp: 266, PageDown: 267, Home: 268, End: 269, CapsLock: 280, ScrollLock: 281, NumLock: 282,
        PrintScreen: 283, Pause: 284, NumpadDecimal: 330, NumpadDivide: 331, NumpadMultiply: 332,
        NumpadSubtract: 333, NumpadAdd: 334, NumpadEnter: 335, NumpadEqual: 336, ShiftLeft: 340, ControlLeft: 341,
        AltLeft: 342, MetaLeft: 343, ShiftRight: 344, ControlRight: 345, AltRight: 346, MetaRight: 347,
        ContextMenu: 348,
      };
      for (let i = 0; i < 26; ++i) keys['Key' + String.fromCharCode(65 + i)] = 65 + i;
      for (let i = 0; i < 10; ++i) {
        keys['Digit' + i] = 48 + i;
        keys['Numpad' + i] = 320 + i;
      }
      for (let i = 1; i <= 12; ++i) keys['F' + i] = 289 + i;
      return keys;
    })(),
    signs: {Minus: '-', Equal: '=', Slash: '/', Comma: ',', BracketLeft: '[', BracketRight: ']'},
    isApple: () => /Mac|iP(hone|ad|od)/.test(navigator.platform),

    // Ctrl is the Command key where that is what users press.
    modifiers: (event) => {
      const graphic = event.getModifierState && event.getModifierState('AltGraph');
      const control = event.ctrlKey || (page.isApple() && event.metaKey);
      return (event.shiftKey ? 1 : 0) | (control && !graphic ? 2 : 0) | (event.altKey && !graphic ? 4 : 0) |
             (event.metaKey && !page.isApple() ? 8 : 0);
    },
    // Keyboards on screens have no positions: their keys have names only.
    codeOf: ({key}) => {
      if (/^[a-z]$/i.test(key)) return 'Key' + key.toUpperCase();
      if (/^[0-9]$/.test(key)) return 'Digit' + key;
      if (/^(Shift|Control|Alt|Meta)$/.test(key)) return key + 'Left';
      return key === ' ' ? 'Space' : key;
    },
    key: (event) => {
      const key = page.keys[event.code] || page.keys[page.codeOf(event)] || 0;
      return page.isApple() && (key === 343 || key === 347) ? key - 2 : key;
    },
    // The sign that the key prints in this layout without Shift.
    sign: (event) => {
      if ([...event.key].length !== 1) return 0;
      const shifted = event.shiftKey && !/^[\p{L}\p{N}]$/u.test(event.key) && event.key !== '+';
      return (shifted ? page.signs[event.code] || event.key : event.key).codePointAt(0);
    },

    onKey: (event) => {
      const down = event.type === 'keydown';
      if (down) page.onScreen = !event.code;
      // Of these, beforeinput says what they ask for.
      if (event.isComposing || event.keyCode === 229) return;
      // By them one leaves the page for the browser.
      if (event.altKey && !event.ctrlKey && [...event.key].length === 1) return;
      if (event.key === 'F12' || (event.ctrlKey && event.shiftKey && /^[ijc]$/i.test(event.key))) return;
      const key = page.key(event), modifiers = page.modifiers(event);
      const control = (modifiers & 2) !== 0, letter = event.key.toLowerCase();
      // What is pasted comes first, then the key that asks for it.
      if (down && control && !event.altKey && letter === 'v') return;
      const prints = [...event.key].length === 1 && !(modifiers & 14);
      if (!prints) event.preventDefault();
      if (!key) return;
      _page_on_key(key, down ? (event.repeat ? 2 : 1) : 0, modifiers, page.sign(event));
      // Apple's browsers report no release of a key while Command is held.
      if (down && page.isApple() && event.metaKey && key < 340) _page_on_key(key, 0, modifiers, page.sign(event));
    },
    press: (key, modifiers = 0, sign = 0) => {
      for (const action of [1, 0]) _page_on_key(key, action, modifiers, sign);
    },
    // What keyboards on screens ask for without a key.
    asked: {
      deleteContentBackward: [259], deleteContentForward: [261],
      deleteWordBackward: [259, 2], deleteWordForward: [261, 2],
      deleteSoftLineBackward: [259, 2], deleteHardLineBackward: [259, 2],
      insertLineBreak: [257], insertParagraph: [257],
      historyUndo: [90, 2, 122], historyRedo: [89, 2, 121],
    },
    onBeforeInput: (event) => {
      const keys = page.asked[event.inputType];
      if (!keys || page.composed !== null) return;
      event.preventDefault();
      page.press(...keys);
    },
    type: (text) => {
      for (const character of text)
        if (character >= ' ' && character !== page.guard) _page_on_character(character.codePointAt(0));
    },
    empty: () => {
      page.input.value = navigator.maxTouchPoints > 0 ? page.guard : '';
      page.input.setSelectionRange(1, 1);
    },
    onText: () => {
      if (page.composed !== null) return;
      if (!page.leaves) page.type(page.input.value);
      page.empty();
    },

    // Keyboards on screens compose every word: what is shown follows it letter by letter. Input methods of desktops
    // compose what is not text yet, and show it in the field.
    compose: (text) => {
      if (page.composed === null) page.shownText = page.onScreen || page.touched > page.clicked ? '' : null;
      page.input.classList.toggle('composing', page.shownText === null);
      page.composed = text;
      if (page.shownText !== null) page.showComposed(text);
    },
    letters: (text) => {
      if (!window.Intl || !Intl.Segmenter) return [...text];
      return [...new Intl.Segmenter().segment(text)].map(({segment}) => segment);  // as Backspace takes them
    },
    showComposed: (text) => {
      const before = page.letters(page.shownText), after = page.letters(text);
      let same = 0;
      while (same < before.length && before[same] === after[same]) ++same;
      for (let i = same; i < before.length; ++i) page.press(259);
      page.type(after.slice(same).join(''));
      page.shownText = text;
    },
    // Its end: by a choice, or by whatever takes the caret away, which the text must reach before.
    endComposing: (text = page.composed) => {
      if (page.composed === null) return;
      if (page.shownText !== null) page.showComposed(text);
      else page.type(text);
      page.composed = page.shownText = null;
      page.input.classList.remove('composing');
    },
    leaves: false,  // the field, whose text the program already has
    interruptComposing: () => {
      if (page.composed === null) return;
      page.endComposing();
      page.leaves = true;
      page.input.blur();  // the browser's own end of it
      page.leaves = false;
      page.empty();
    },
    pressPaste: () => page.press(86, 2, 118),
    onPaste: async (event) => {
      event.preventDefault();
      page.text = event.clipboardData.getData('text/plain');
      const file = [...event.clipboardData.files].find((one) => one.type.startsWith('image/'));
      page.picture = file ? new Uint8Array(await file.arrayBuffer()) : null;
      page.pressPaste();
    },

    // Where the program has what is seen there, however the browser has stretched the canvas.
    place: ({clientX, clientY}) => {
      const box = page.canvas.getBoundingClientRect();
      return {x: (clientX - box.left) * page.width / box.width, y: (clientY - box.top) * page.height / box.height};
    },
    position: (event) => {
      const {x, y} = page.place(event);
      _page_on_position(x, y);
    },
    button: (event, down) => {
      const button = [0, 2, 1, 3, 4][event.button];
      if (button !== undefined) _page_on_button(button, down ? 1 : 0, page.modifiers(event));
    },
    listenToMouse: () => {
      const canvas = page.canvas;
      let held = 0;
      canvas.addEventListener('mousedown', (event) => {
        event.preventDefault();
        page.clicked = performance.now();
        page.interruptComposing();
        page.input.focus({preventScroll: true});
        ++held;
        page.position(event);
        page.button(event, true);
      });
      window.addEventListener('mouseup', (event) => {
        if (held === 0) return;
        --held;
        page.position(event);
        page.button(event, false);
      });
      window.addEventListener('mousemove', (event) => {
        if (held > 0 || event.target === canvas || event.target === page.input) page.position(event);
      });
      canvas.addEventListener('mouseenter', () => _page_on_enter(1));
      canvas.addEventListener('mouseleave', () => { if (held === 0) _page_on_enter(0); });
      canvas.addEventListener('contextmenu', (event) => event.preventDefault());
      canvas.addEventListener('wheel', (event) => {
        event.preventDefault();
        const step = event.deltaMode === 1 ? 3 : event.deltaMode === 2 ? 1 : 100;
        _page_on_wheel(-event.deltaX / step, -event.deltaY / step);
      }, {passive: false});
    },
    // A finger points and presses; held still it asks for the menu; two fingers scroll, and zoom as a wheel does.
    listenToTouch: () => {
      const canvas = page.canvas, fingers = new Map();
      let pressed = false, held = 0, left = 0, asks = false, late = false, start = null, before = null;
      const middle = () => {
        const all = [...fingers.values()].map(page.place);
        return {
          x: all.reduce((sum, one) => sum + one.x, 0) / all.length,
          y: all.reduce((sum, one) => sum + one.y, 0) / all.length,
          across: all.length < 2 ? 0 : Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y),
        };
      };
      const release = () => {
        clearTimeout(held);
        if (pressed) _page_on_button(0, 0, 0);
        pressed = false;
      };
      canvas.addEventListener('touchstart', (event) => {
        event.preventDefault();
        page.interruptComposing();
        for (const finger of event.changedTouches) fingers.set(finger.identifier, finger);
        before = middle();
        _page_on_position(before.x, before.y);
        clearTimeout(held);
        clearTimeout(left);
        if (fingers.size > 1) {
          // The first finger has pressed nothing.
          if (pressed) _page_on_enter(0);
          release();
          return _page_on_position(before.x, before.y);
        }
        start = before;
        pressed = true;
        asks = late = false;
        _page_on_button(0, 1, 0);
        const begin = event.timeStamp;
        const ask = () => {
          // After a slow picture, what the finger did meanwhile is told first: it may have been lifted long ago.
          if (performance.now() - begin > 640 && !late) {
            late = true;
            held = setTimeout(ask, 40);
            return;
          }
          // It has pressed nothing, and what is there explains itself until the next touch.
          asks = true;
          _page_on_enter(0);
          release();
          _page_on_position(before.x, before.y);
          _page_on_button(1, 1, 0);
          _page_on_button(1, 0, 0);
        };
        held = setTimeout(ask, 600);
      }, {passive: false});
      canvas.addEventListener('touchmove', (event) => {
        event.preventDefault();
        for (const finger of event.changedTouches) fingers.set(finger.identifier, finger);
        const now = middle();
        if (fingers.size === 1) {
          if (Math.hypot(now.x - start.x, now.y - start.y) > 10) clearTimeout(held);
          _page_on_position(now.x, now.y);
        } else {
          const zoomed = before.across > 0 ? Math.log(now.across / before.across) / Math.log(1.25) : 0;
          _page_on_wheel((now.x - before.x) / 60, Math.abs(zoomed) > 0.02 ? zoomed : (now.y - before.y) / 60);
        }
        before = now;
      }, {passive: false});
      const end = (event) => {
        event.preventDefault();
        for (const finger of event.changedTouches) fingers.delete(finger.identifier);
        release();
        page.touched = performance.now();
        if (page.touched - page.askedForText < 300) page.input.focus({preventScroll: true});
        else page.input.blur();
        if (fingers.size > 0) before = middle();
        // What was pressed is released where it is before the pointer has left.
        else if (!asks) left = setTimeout(() => _page_on_enter(0), 100);
      };
      canvas.addEventListener('touchend', end, {passive: false});
      canvas.addEventListener('touchcancel', end, {passive: false});
    },

    // A keyboard on the screen covers the lower part of the window, and may push it up: what is seen remains.
    seen: () => {
      const all = {top: 0, height: window.innerHeight, covered: false}, now = window.visualViewport;
      const keyboard = now && Math.abs(now.scale - 1) < 0.01 && all.height - now.height > 100;
      return keyboard ? {top: now.offsetTop, height: now.height, covered: true} : all;
    },
    // The canvas is as large as the program has it, whatever else the browser counts as its window: a phone shows its
    // address bar over a part of 100vh.
    resize: () => {
      const room = getComputedStyle(document.getElementById('room'));
      const inset = (side) => parseFloat(room['padding' + side]) || 0;
      const seen = page.seen(), ratio = window.devicePixelRatio || 1;
      const left = inset('Left'), top = Math.max(seen.top, inset('Top'));
      const width = window.innerWidth - left - inset('Right');
      const height = seen.top + seen.height - top - (seen.covered ? 0 : inset('Bottom'));
      const across = Math.round(width * ratio), down = Math.round(height * ratio);
      const {canvas} = page;
      if (left === page.left && top === page.top && width === page.width && height === page.height && canvas.width === across && canvas.height === down) return;
      Object.assign(page, {left, top, width, height});
      Object.assign(canvas, {width: across, height: down});
      Object.assign(canvas.style, {left: left + 'px', top: top + 'px', width: width + 'px', height: height + 'px'});
      _page_on_size(width, height, across, down, ratio, screen.width, screen.height);
    },

    // Bytes are 0 if the browser does not let the files be read.
    refuse: (name, bytes) => {
      const text = stringToNewUTF8(name);
      _page_on_refused(text, bytes);
      _free(text);
    },
    // Keeps the contents of files under their names. What cannot be read is missing there, and the program says so.
    pathOf: (name) => '/files/' + name,
    // Not the same weights for other programs.
    readable: (files) => {
      const better = files.some(({name}) => name.endsWith('.safetensors'));
      const others = better ? /\.(h5|msgpack|onnx|ot|tflite|bin|pt|pth)$/i : /\.(h5|msgpack|onnx|ot|tflite)$/i;
      return files.filter(({name}) => !others.test(name));
    },
    keepFiles: async (given) => {
      const top = given[0].name.split('/')[0], files = page.readable(given);
      const bytes = files.reduce((sum, one) => sum + one.file.size, 0);
      if (bytes > _page_room()) {
        page.refuse(top, bytes);
        return '';
      }
      for (const {file, name} of files) {
        const path = page.pathOf(name);
        try {
          FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
          if (FS.analyzePath(path).exists) FS.unlink(path);
          FS.writeFile(path, new Uint8Array(await file.arrayBuffer()), {canOwn: true});
        } catch (failure) {
          console.warn(path + ': ' + failure);
        }
      }
      return page.pathOf(top);
    },
    filesOfHandle: async (handle, name) => {
      if (handle.kind === 'file') return [{file: await handle.getFile(), name}];
      const files = [];
      for await (const one of handle.values())
        if (!one.name.startsWith('.')) files.push(...await page.filesOfHandle(one, name + '/' + one.name));
      return files;
    },
    filesOfEntry: async (entry, name) => {
      if (entry.isFile) return [{file: await new Promise((done, fail) => entry.file(done, fail)), name}];
      const reader = entry.createReader(), files = [];
      for (;;) {
        const entries = await new Promise((done, fail) => reader.readEntries(done, fail));
        if (entries.length === 0) return files;
        for (const one of entries.filter((one) => !one.name.startsWith('.')))
          files.push(...await page.filesOfEntry(one, name + '/' + one.name));
      }
    },
    listenToDrops: () => {
      window.addEventListener('dragover', (event) => event.preventDefault());
      window.addEventListener('drop', async (event) => {
        event.preventDefault();
        page.position(event);
        // All of these end with the event. A page from a file can read handles, not entries.
        const item = [...event.dataTransfer.items].find((one) => one.kind === 'file'), file = event.dataTransfer.files[0];
        if (!item || !file) return;
        const handle = item.getAsFileSystemHandle && item.getAsFileSystemHandle();
        const entry = item.webkitGetAsEntry && item.webkitGetAsEntry();
        let files = [{file, name: file.name}];
        if (entry && entry.isDirectory) {
          try {
            files = handle ? await page.filesOfHandle(await handle, entry.name) : await page.filesOfEntry(entry, entry.name);
          } catch (failure) {
            console.warn(entry.name + ': ' + failure);
            return page.refuse(entry.name, 0);
          }
        }
        const path = files.length > 0 ? await page.keepFiles(files) : page.pathOf(entry.name);
        if (!path) return;
        const text = stringToNewUTF8(path);
        _page_on_drop(text);
        _free(text);
      });
    },
    choose: (folders, patterns) => {
      const chooser = document.createElement('input');
      chooser.type = 'file';
      if (folders) chooser.webkitdirectory = true;
      else if (patterns) chooser.accept = patterns;
      chooser.addEventListener('cancel', () => {
        page.answer = '';
        _page_on_change();
      });
      chooser.addEventListener('change', async () => {
        const files = [...chooser.files].map((file) => ({file, name: file.webkitRelativePath || file.name}));
        page.answer = files.length > 0 ? await page.keepFiles(files) : '';
        _page_on_change();
      });
      page.chooser = chooser;  // else it may be collected before it answers
      chooser.click();
    },

    // A link that is pasted into the address of the open page, or gone back to.
    onAddress: () => {
      const {hash} = location, known = store.pathOfAddress(hash);
      if (known ? known === store.work() : !store.isLink(hash)) return;
      const text = stringToNewUTF8(known || hash);
      known ? _page_on_work(text) : _page_on_link(text);
      _free(text);
    },

    // What the program writes into the folder of downloads goes to the user's.
    offerDownloads: () => {
      const folder = '/downloads';
      for (const name of FS.readdir(folder)) {
        if (name.startsWith('.')) continue;
        const path = folder + '/' + name, status = FS.stat(path);
        if (!FS.isFile(status.mode) || page.offered[path] === status.mtime.getTime()) continue;
        page.offered[path] = status.mtime.getTime();
        if (name.endsWith('.pdf')) {
          printer.print(name, FS.readFile(path, {encoding: 'utf8'}));
          continue;
        }
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([FS.readFile(path)]));
        link.download = name;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60000);
      }
    },
  },

  page_listen__deps: ['$page', '$mirror', '$store', '$printer', '$FS', '$stringToNewUTF8', 'free'],
  page_listen: () => {
    page.canvas = document.getElementById('canvas');
    page.input = document.getElementById('input');
    page.resize();
    window.addEventListener('resize', page.resize);
    for (const event of ['resize', 'scroll'])
      if (window.visualViewport) window.visualViewport.addEventListener(event, page.resize);
    page.empty();
    page.input.addEventListener('keydown', page.onKey);
    page.input.addEventListener('keyup', page.onKey);
    page.input.addEventListener('beforeinput', page.onBeforeInput);
    page.input.addEventListener('input', page.onText);
    page.input.addEventListener('compositionstart', () => page.compose(''));
    page.input.addEventListener('compositionupdate', (event) => page.compose(event.data));
    page.input.addEventListener('compositionend', (event) => {
      page.endComposing(event.data);
      page.empty();
    });
    page.input.addEventListener('blur', () => {
      page.endComposing();
      page.empty();
    });
    page.input.addEventListener('paste', page.onPaste);
    // The keyboard is the program's wherever the page has it.
    window.addEventListener('keydown', (event) => {
      if (event.target === page.input || mirror.takesKey(event)) return;
      page.input.focus({preventScroll: true});
      page.onKey(event);
    }, {capture: true});
    window.addEventListener('focus', () => _page_on_focus(1));
    window.addEventListener('blur', () => _page_on_focus(0));
    document.addEventListener('fullscreenchange', () => {
      const fills = document.fullscreenElement !== null;
      _page_on_fill_screen(fills ? 1 : 0);
      // The browser keeps the Esc that ends it for itself.
      if (!fills && page.fills) for (const action of [1, 0]) _page_on_key(256, action, 0, 0);
      page.fills = fills;
    });
    const begin = performance.now();
    page.canvas.addEventListener('webglcontextlost', () => {
      if (performance.now() - begin > 10000) location.reload();  // not again and again
      else fail(texts.stopped);
    });
    page.listenToMouse();
    page.listenToTouch();
    page.listenToDrops();
    window.addEventListener('hashchange', page.onAddress);
    if (store.opensLink) page.onAddress();
    const wishes = ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)'].map((wish) => matchMedia(wish));
    const tellWishes = () => _page_on_wishes(...wishes.map(({matches}) => matches ? 1 : 0));
    for (const wish of wishes) wish.addEventListener('change', tellWishes);
    tellWishes();
    setInterval(page.offerDownloads, 300);
    store.listen();
    page.input.focus({preventScroll: true});
    document.body.classList.add('started');
  },

  // Calls the step before each picture; in a hidden page, which shows none, twice a second, so that work is kept. Whoever
  // leaves the page may not come back to it: what was typed until then is kept at once.
  page_run__deps: ['$page', '$store', '$turns', '$stringToNewUTF8', 'page_can_suspend', 'free'],
  page_run: (step, keep, window_) => {
    const draw = _page_can_suspend() ? turns.suspendable(step) : {{{ makeDynCall('dp', 'step') }}};
    const keepWork = {{{ makeDynCall('vp', 'keep') }}};
    let frame = 0, timer = 0, draws = false, ended = false, due = 0, drawn = false;
    const follow = () => {
      if (draws || ended) return;
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(run, 500);
      else frame = requestAnimationFrame(run);
    };
    const drawOnce = async () => {
      draws = true;
      const seconds = await draw(window_);
      draws = false;
      due = performance.now() + 1000 * seconds;
      ended = !(seconds >= 0);
      if (!drawn) setTimeout(packs.fetchLater, 0);
      drawn = true;
      return seconds;
    };
    const run = async () => {
      if (draws || ended) return;
      if (_page_take_event() || document.hidden || performance.now() >= due) await drawOnce();
      follow();
    };
    // Each step handles what it can of the events that wait: a key that follows a letter waits for the next one. What a
    // step has done is kept before it is known whether it has ended: one that waits for background work ends too late.
    const longestLeaving = 5000;  // ms; what each step has done is kept, whenever the browser ends the page
    const leave = async (event) => {
      const forever = event.type === 'pagehide', begin = performance.now();
      if (store.left || !(forever || document.hidden)) return;
      page.goes = forever;
      const keepNow = () => {
        if (!ended) keepWork(window_);
        store.leave(forever);
      };
      page.interruptComposing();
      keepNow();
      for (let due = 0; !draws && !ended && due === 0 && performance.now() - begin < longestLeaving;) {
        const drawn = drawOnce();
        keepNow();
        due = await drawn;
      }
    };
    document.addEventListener('visibilitychange', (event) => {
      leave(event);
      follow();
    });
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', () => { page.goes = false; });
    follow();
  },

  page_set_background: (color) => { document.body.style.background = UTF8ToString(color); },

  page_set_cursor__deps: ['$page'],
  page_set_cursor: (name) => { page.canvas.style.cursor = UTF8ToString(name); },
  page_set_title: (title) => { document.title = UTF8ToString(title); },
  page_fill_screen__deps: ['$page'],
  page_fill_screen: (all) => {
    page.fills = false;
    const done = all ? document.documentElement.requestFullscreen && document.documentElement.requestFullscreen()
                     : document.fullscreenElement && document.exitFullscreen();
    if (done) done.catch(() => {});
  },

  page_set_clipboard__deps: ['$page'],
  page_set_clipboard: (text) => {
    page.text = UTF8ToString(text);
    if (navigator.clipboard) navigator.clipboard.writeText(page.text).catch(() => {});
  },
  page_clipboard__deps: ['$page', '$stringToNewUTF8'],
  page_clipboard: () => stringToNewUTF8(page.text),
  page_put_picture: (bytes, size) => {
    if (!navigator.clipboard || !window.ClipboardItem) return 0;
    const png = new Blob([HEAPU8.slice(bytes, bytes + size)], {type: 'image/png'});
    navigator.clipboard.write([new ClipboardItem({'image/png': png})]).catch(() => {});
    return 1;
  },
  // The bytes, to be freed, and their number; 0: there is no picture.
  page_picture__deps: ['$page', 'malloc'],
  page_picture: (size) => {
    const bytes = page.picture;
    if (!bytes) return 0;
    const memory = _malloc(bytes.length);
    HEAPU8.set(bytes, memory);
    HEAP32[size >> 2] = bytes.length;
    return memory;
  },

  // -1: there is none.
  page_take_warning__deps: ['$page'],
  page_take_warning: () => (page.warnings.length > 0 ? page.warnings.shift() : -1),

  page_place_input__deps: ['$page', '$mirror'],
  page_place_input: (x, y, height) => {
    page.askedForText = performance.now();
    mirror.giveWay();
    // Safari on phones magnifies the page for a field with smaller letters.
    const smallest = page.touched > page.clicked ? 16 : 0;
    Object.assign(page.input.style, {
      left: page.left + x + 'px', top: page.top + y + 'px', height: height + 'px', fontSize: Math.max(smallest, 0.8 * height) + 'px',
    });
    // The keyboard on a screen comes with the focus, and only soon after a touch.
    if (page.askedForText - page.touched < 1000) page.input.focus({preventScroll: true});
  },
  page_describe: (language, text) => {
    document.documentElement.lang = UTF8ToString(language).replace('_', '-');
    const live = document.getElementById('description');
    if (live.textContent !== UTF8ToString(text)) live.textContent = UTF8ToString(text);
  },
  page_end: (text) => {
    fail(text ? texts.stopped : texts.closed, UTF8ToString(text));
  },

  page_address__deps: ['$stringToNewUTF8'],
  page_address: () => stringToNewUTF8(location.href.replace(/#.*/, '')),

  // The address is a link to what is shown, as the program keeps it for the next start; '': there is none.
  // A page that is being left goes to where its address led before.
  page_show_link__deps: ['$page', '$store'],
  page_show_link: (link) => {
    if (page.goes) return;
    try {
      history.replaceState(null, '', UTF8ToString(link) || '#');
    } catch (failure) {  // browsers limit how often
      return console.warn('address: ' + failure);
    }
    store.noteAddress(location.hash, store.work());
  },

  page_keep_font__deps: ['$store', '$FS', '$stringToNewUTF8'],
  page_keep_font: (path) => {
    const from = UTF8ToString(path), to = '/kept/fonts/' + store.nameOf(from);
    if (from !== to) {
      FS.mkdirTree('/kept/fonts');
      FS.rename(from, to);
    }
    return stringToNewUTF8(to);
  },

  page_choose__deps: ['$page'],
  page_choose: (folders, patterns) => {
    page.answer = null;
    page.choose(folders !== 0, UTF8ToString(patterns));
  },
  // The path that was chosen, to be freed; empty if none; 0 while the user chooses.
  page_chosen__deps: ['$page', '$stringToNewUTF8'],
  page_chosen: () => (page.answer === null ? 0 : stringToNewUTF8(page.answer)),
});
