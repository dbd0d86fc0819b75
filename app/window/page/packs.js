// Files that belong to the program come in packs (scripts/webpage/pack): the length of an index in 4 bytes, the index
// [[path, bytes], …] as JSON, the files one after the other.
const packs = {
  // Calls use(path, content).
  each: (pack, use) => {
    const length = new DataView(pack.buffer, pack.byteOffset).getUint32(0, true);
    let at = 4 + length;
    for (const [path, bytes] of JSON.parse(new TextDecoder().decode(pack.slice(4, at)))) {
      use(path, pack.subarray(at, at + bytes));
      at += bytes;
    }
  },
  write: (path, content) => {
    FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
    FS.writeFile(path, content, {canOwn: true});
  },
  unpack: (pack) => packs.each(pack, packs.write),

  // The files of a pack that comes later are there with their sizes. Whoever reads one before waits for all of them.
  announce: (later) => {
    const contents = {};
    later.fill = (pack) => packs.each(pack, (path, content) => { contents[path] = content; });
    for (const [path, bytes] of later.index) {
      packs.write(path, '');
      const {node} = FS.lookupPath(path);
      node.usedBytes = bytes;
      Object.defineProperty(node, 'contents', {
        get: () => {
          if (!contents[path]) later.fill(later.readNow());
          return contents[path];
        },
      });
    }
  },
  // After the first picture, one after the other. Fonts among them are the program's from then on.
  fetchLater: async () => {
    for (const later of Module.laterPacks || []) {
      try {
        const pack = await later.read();
        if (!later.fonts) later.fill(pack);
        else packs.each(pack, (path, content) => {
          packs.write(path, content);
          const text = stringToNewUTF8(path);
          _page_on_font(text);
          _free(text);
        });
      } catch (failure) {
        console.warn(later.name + ': ' + failure);
      }
    }
    if (Module.onAll) Promise.resolve(Module.onAll()).catch((failure) => console.warn('offline: ' + failure));
  },
};
