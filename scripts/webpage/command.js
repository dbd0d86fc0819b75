// node scripts/webpage/command.js HEADSCOPE.js FOLDER ARGUMENT...: the command line of the page's program. What it
// writes into its folder /out goes to FOLDER, and it reads FOLDER as /in.
'use strict';
const fs = require('fs'), path = require('path'), vm = require('vm');
const [program, folder, ...given] = process.argv.slice(2);
globalThis.require = require;
globalThis.__filename = path.resolve(program);
globalThis.__dirname = path.dirname(globalThis.__filename);
const packs = path.join(globalThis.__dirname, 'packs');  // not this script's __dirname
globalThis.Module = {
  packs: fs.readdirSync(packs).map((name) => new Uint8Array(fs.readFileSync(path.join(packs, name)))),
  arguments: given,
  preRun: [() => {
    for (const inside of ['/in', '/out']) FS.mkdirTree(inside);
    for (const name of fs.readdirSync(folder))
      if (fs.statSync(path.join(folder, name)).isFile()) FS.writeFile('/in/' + name, fs.readFileSync(path.join(folder, name)));
  }],
  postRun: [() => {
    for (const name of FS.readdir('/out'))
      if (FS.isFile(FS.stat('/out/' + name).mode)) fs.writeFileSync(path.join(folder, name), FS.readFile('/out/' + name));
  }],
};
vm.runInThisContext(fs.readFileSync(program, 'utf8'), {filename: program});
