// What the browser keeps of the folder /kept between visits: settings, fonts and pictures, which all tabs share, and works,
// files autosave-NAME.json of which each tab writes its own (app/state/document/session_store.h).
addToLibrary({
  $store__deps: ['$FS', '$page'],
  $store: {
    folder: '/kept/state/headscope',
    // As Emscripten's IDBFS laid it out, which earlier pages had.
    database: '/kept', version: 21, files: 'FILE_DATA',
    maximum: 20,           // works that no tab shows; older ones are forgotten
    largestLast: 1 << 20,  // bytes of a file that is kept at the last moment
    db: null,
    failed: -1e9,          // when it last took nothing, ms
    warned: false,         // of that
    looking: false,        // at the works of other tabs
    left: false,           // by the user, perhaps for good
    opensLink: false,      // this visit, in place of the work of the last
    owned: null,           // the name of this tab's work, once it is kept
    // What the compiler could not write down here: set at the start.
    known: null,           // of each path there: the time of the content that need not be written any more
    writing: null,         // paths on their way into the database
    moved: null,           // path → path in the database, of works that another tab has taken over
    addresses: null,       // the last one of each work in this tab → its path
    token: null,           // of this visit: whose mark on a work has it owns the work

    // Text that is there at once, and also for the next page of this tab (sessionStorage) or of any (localStorage).
    get: (storage, key) => {
      try {
        return window[storage].getItem('headscope ' + key);
      } catch {
        return null;  // forbidden
      }
    },
    put: (storage, key, value) => {
      try {
        if (value === null) window[storage].removeItem('headscope ' + key);
        else window[storage].setItem('headscope ' + key, value);
      } catch {
        // Forbidden, or full: it is in the database a moment later.
      }
    },
    keys: (prefix) => {
      try {
        const all = Object.keys(localStorage).filter((key) => key.startsWith('headscope ' + prefix));
        return all.map((key) => key.slice('headscope '.length));
      } catch {
        return [];
      }
    },
    parsed: (text) => {
      try {
        return JSON.parse(text);
      } catch {
        return null;
      }
    },

    open: () => new Promise((done, fail) => {
      const request = indexedDB.open(store.database, store.version);
      request.onupgradeneeded = () => {
        if (request.result.objectStoreNames.contains(store.files)) return;
        request.result.createObjectStore(store.files).createIndex('timestamp', 'timestamp', {unique: false});
      };
      request.onsuccess = () => done(request.result);
      request.onerror = () => fail(request.error);
    }),
    // path → {contents, time in ms}, of the paths that begin so.
    read: (prefix) => new Promise((done, fail) => {
      const files = store.db.transaction(store.files).objectStore(store.files), found = new Map();
      const range = IDBKeyRange.bound(prefix, prefix + '\uffff');
      const paths = files.getAllKeys(range), entries = files.getAll(range);
      files.transaction.oncomplete = () => {
        entries.result.forEach(({contents, timestamp}, i) => {
          if (contents) found.set(paths.result[i], {contents: new Uint8Array(contents), time: timestamp.getTime()});
        });
        done(found);
      };
      files.transaction.onabort = () => fail(files.transaction.error);
    }),
    // One file, whatever becomes of others: without contents it is removed.
    write: (path, contents, time) => new Promise((done, fail) => {
      const files = store.db.transaction(store.files, 'readwrite').objectStore(store.files);
      if (contents) files.put({timestamp: new Date(time), mode: 0o100600, contents}, path);
      else files.delete(path);
      files.transaction.oncomplete = done;
      files.transaction.onabort = () => fail(files.transaction.error);
      if (files.transaction.commit) files.transaction.commit();
    }),

    time: (path) => FS.stat(path).mtime.getTime(),
    place: (path, {contents, time}) => {
      FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
      FS.writeFile(path, contents);
      FS.utime(path, time, time);
    },
    list: (folder) => (FS.analyzePath(folder).exists ? FS.readdir(folder).filter((name) => !/^\./.test(name)) : []),
    isWork: (name) => /^autosave-.*\.json$/.test(name),
    nameOf: (path) => path.slice(path.lastIndexOf('/') + 1),
    work: () => {
      const name = store.list(store.folder).find(store.isWork);
      return name ? store.folder + '/' + name : null;
    },
    // path → the file that has its content. Works beside this tab's own are in folders of their own, locks and what is
    // half-written are of this visit alone.
    present: () => {
      const found = new Map(), others = [store.folder + '/others', store.folder + '/others/open'];
      const add = (folder) => {
        for (const name of store.list(folder)) {
          const path = folder + '/' + name;
          if (others.includes(folder)) {
            if (store.isWork(name)) found.set(store.folder + '/' + name, path);
            else if (FS.isDir(FS.stat(path).mode)) add(path);
          } else if (FS.isDir(FS.stat(path).mode)) {
            add(path);
          } else if (!/\.lock$/.test(name) && !(folder === store.folder && /^start-/.test(name))) {
            found.set(path, path);
          }
        }
      };
      add('/kept');
      const own = store.work();
      if (own) found.set(own, own);
      return found;
    },
    // Of what has changed: path → its file, or null if it was removed.
    changes: () => {
      const present = store.present(), changed = new Map();
      for (const [path, file] of present) if (store.known.get(path) !== store.time(file)) changed.set(path, file);
      for (const path of store.known.keys()) if (!present.has(path)) changed.set(path, null);
      return changed;
    },
    keep: () => {
      store.noteOwn();
      if (!store.db) return;
      for (const [path, file] of store.changes()) {
        if (store.writing.has(path) || performance.now() - store.failed < 5000) continue;
        const time = file ? store.time(file) : 0, key = store.moved.get(path) || path;
        store.writing.add(path);
        store.write(key, file && FS.readFile(file), time).then(() => {
          file ? store.known.set(path, time) : store.known.delete(path);
          store.forgetLast(key, time);
          store.failed = -1e9;
          store.warned = false;
        }, (failure) => {
          console.warn(path + ': ' + failure);
          store.failed = performance.now();
          if (!store.warned) page.warn('storage full');
          store.warned = true;
        }).finally(() => store.writing.delete(path));
      }
    },
    // The database may not be done before the page has gone: what is small waits in another place for the next visit.
    leave: (forever) => {
      store.keep();
      for (const [path, file] of store.db ? store.changes() : []) {
        if (file && FS.stat(file).size > store.largestLast) continue;
        const text = file && Array.from(FS.readFile(file), (byte) => String.fromCharCode(byte)).join('');
        const key = store.moved.get(path) || path;
        store.put('localStorage', 'last ' + key, JSON.stringify({time: file ? store.time(file) : Date.now(), text}));
      }
      store.put('sessionStorage', 'starting', null);  // leaving a page that has just started is no crash
      store.left = forever;
      if (forever) store.mark(false);
    },
    // Unless it is newer than what the database has now.
    forgetLast: (path, time) => {
      const last = store.parsed(store.get('localStorage', 'last ' + path));
      if (!last || last.time <= time) store.put('localStorage', 'last ' + path, null);
    },
    takeLast: async (kept) => {
      for (const key of store.keys('last ')) {
        const path = key.slice(5), {time, text} = store.parsed(store.get('localStorage', key)) || {time: -1};
        const before = kept.get(path), contents = text && Uint8Array.from(text, (one) => one.charCodeAt(0));
        if (time >= 0 && (!before || before.time < time)) {
          contents ? kept.set(path, {contents, time}) : kept.delete(path);
          await store.write(path, contents, time).catch((failure) => console.warn(path + ': ' + failure));
        }
        store.put('localStorage', key, null);
      }
    },

    // Whether another tab that is still open shows the work. Timers of hidden pages come once a minute.
    isOpen: (name) => {
      const mark = store.parsed(store.get('localStorage', 'owner ' + name));
      return mark !== null && mark.token !== store.token && Date.now() - mark.time < 90000;
    },
    // This tab's work is where it was after a reload; a tab that finds its work taken over goes on with a copy.
    noteOwn: () => {
      const work = store.work(), name = work && store.nameOf(work);
      if (name !== store.owned) {
        if (store.owned) store.mark(false, store.folder + '/' + store.owned);
        store.put('sessionStorage', 'work', name);
      } else if (work && !store.moved.has(work) && store.isOpen(name)) {
        store.moved.set(work, store.freshPath(store.folder));
        store.put('sessionStorage', 'work', store.nameOf(store.moved.get(work)));
        store.known.delete(work);
      }
      store.owned = name;
      if (!store.left) store.mark(true);
      // The program has started with it.
      if (!store.list(store.folder).some((one) => /^start-/.test(one))) store.put('sessionStorage', 'starting', null);
    },
    // The work as this tab's own.
    mark: (open, work = store.work()) => {
      const key = work && 'owner ' + store.nameOf(store.moved.get(work) || work);
      const mark = key && store.parsed(store.get('localStorage', key)), mine = mark && mark.token === store.token;
      if (key && open && !(mine && Date.now() - mark.time < 10000))
        store.put('localStorage', key, JSON.stringify({token: store.token, time: Date.now()}));
      if (!open && mine) store.put('localStorage', key, null);
    },
    freshPath: (folder) => folder + '/autosave-' + Math.random().toString(36).slice(2, 12) + '.json',

    noteAddress: (address, work) => {
      for (const [one, path] of store.addresses) if (path === work) store.addresses.delete(one);
      if (work) store.addresses.set(address, work);
      store.put('sessionStorage', 'address', work && address);
    },
    pathOfAddress: (address) => {
      const path = store.addresses.get(address);
      const places = path ? [path, store.folder + '/others/' + store.nameOf(path)] : [];
      return places.find((one) => FS.analyzePath(one).exists);
    },
    isLink: (address) => /^#s=./.test(address),

    // Before the program starts: its files, this tab's work, and the works beside it.
    start: async () => {
      Object.assign(store, {known: new Map(), writing: new Set(), moved: new Map(), addresses: new Map(),
                            token: String(Math.random())});
      let kept = new Map();
      try {
        store.db = await store.open();
        kept = await store.read('/kept/');
        await store.takeLast(kept);
      } catch (failure) {  // by a browser that forbids it, or if what it has kept is damaged
        console.warn('work is not kept: ' + failure);
        store.db = null;
        page.warn('work not kept');
      }
      FS.mkdirTree(store.folder + '/others/open');
      const works = [];
      for (const [path, file] of kept) {
        if (path.startsWith(store.folder + '/autosave-')) {
          if (store.isWork(store.nameOf(path))) works.push(path);
        } else if (!/\.lock$|\/start-[^/]*$/.test(path)) {
          store.place(path, file);
          store.known.set(path, store.time(path));
        }
      }
      works.sort((one, other) => kept.get(other).time - kept.get(one).time);
      const own = works.find((path) => store.nameOf(path) === store.get('sessionStorage', 'work'));
      const free = works.filter((path) => path === own || !store.isOpen(store.nameOf(path)));
      // Only if it is newer than what was kept when the program was closed.
      const closed = kept.get(store.folder + '/session.json');
      const newest = free.find((path) => !closed || kept.get(path).time >= closed.time);
      const address = own && store.get('sessionStorage', 'address');
      store.opensLink = location.hash !== address && store.isLink(location.hash);
      const mine = own || newest;
      const forgotten = free.filter((path) => path !== own).slice(store.maximum);
      for (const path of works) {
        const beside = store.folder + (free.includes(path) ? '/others/' : '/others/open/') + store.nameOf(path);
        if (forgotten.includes(path)) {
          await store.write(path).catch(() => {});
        } else {
          store.place(path === mine ? path : beside, kept.get(path));
          store.known.set(path, kept.get(path).time);
        }
      }
      // A page that has died with this work, and only then, says so to the program as a window does.
      const starting = store.get('sessionStorage', 'starting');
      if (mine && starting === mine) FS.writeFile(store.folder + '/start-1', mine);
      if (mine) store.put('sessionStorage', 'starting', mine);
    },
    listen: () => {
      setInterval(store.keep, 300);
      const look = () => { if (!document.hidden) store.lookAtOthers(); };
      document.addEventListener('visibilitychange', look);
      window.addEventListener('focus', look);
      window.addEventListener('pageshow', () => { store.left = false; });
    },
    // Other tabs may have changed their works meanwhile, or been closed, or opened one of those beside this tab's own.
    lookAtOthers: async () => {
      if (!store.db || store.looking) return;
      store.looking = true;
      try {
        for (const [path, file] of await store.read(store.folder + '/autosave-')) {
          const name = store.nameOf(path), own = store.work();
          if ((own && [own, store.moved.get(own)].includes(path)) || store.writing.has(path)) continue;
          const open = store.isOpen(name), others = store.folder + '/others/';
          const now = others + (open ? 'open/' : '') + name, before = others + (open ? '' : 'open/') + name;
          const there = FS.analyzePath(now).exists && store.time(now) >= file.time;
          if (FS.analyzePath(before).exists) FS.unlink(before);
          if (there) continue;
          store.place(now, file);
          store.known.set(path, store.time(now));
        }
        _page_on_works();
      } catch (failure) {
        console.warn('works of other tabs: ' + failure);
      }
      store.looking = false;
    },
  },
});
