// The program's files lie beside this one, each also compressed; what the first picture does not need comes after it.
const files = @FILES@;
// A server that sends Brotli to whoever takes it sends the least; others have files in gzip, undone here.
const program = crossOriginIsolated ? 'headscope_threads' : 'headscope';
const {name: largest} = files[program + '.wasm'];
const kept = async (name) => Boolean(self.caches && await caches.match(name));
const sendsBrotli = fetch(largest, {method: 'HEAD'}).then(({headers}) => headers.get('content-encoding') === 'br')
    .catch(() => kept(largest));  // without a network
const nameOf = async (file) => files[file].name + (await sendsBrotli ? '' : '.gz');
const used = ['.'];
// Where WebAssembly cannot be suspended, long work needs threads, and these a page that its own service worker brings.
const worker = WebAssembly.promising ? 'offline.js' : 'offline.js?threads';
async function allowThreads() {
  if (WebAssembly.promising || crossOriginIsolated || !navigator.serviceWorker) return;
  if (sessionStorage.getItem('headscope threads')) return;
  sessionStorage.setItem('headscope threads', 'asked for');  // once: a browser may not allow them
  await navigator.serviceWorker.register(worker);
  await navigator.serviceWorker.ready;
  location.reload();
  await new Promise(() => {});
}
async function readAs(name, bytes) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(name + ': ' + answer.status);
  // The browser undoes what a server names.
  const packed = name.endsWith('.gz') && !answer.headers.get('content-encoding');
  const whole = packed ? answer.body.pipeThrough(new DecompressionStream('gzip')) : answer.body;
  const content = new Uint8Array(await new Response(whole).arrayBuffer());
  if (content.length !== bytes) {
    if (self.caches) await caches.open('headscope').then((kept) => kept.delete(name));
    throw new Error(`${name}: ${content.length} of ${bytes} bytes`);
  }
  used.push(name);
  return content;
}
// What cannot be read packed, as it is.
const read = async (file) => {
  const packed = await nameOf(file), {name, bytes} = files[file];
  return readAs(packed, bytes).catch((failure) => {
    console.warn(packed + ': ' + failure);
    return readAs(name, bytes);
  });
};
// For whoever cannot wait otherwise.
function readNow(file) {
  const request = new XMLHttpRequest();
  request.open('GET', files[file].name, false);
  request.overrideMimeType('text/plain; charset=x-user-defined');  // bytes as letters
  request.send();
  if (request.status >= 400) throw new Error(files[file].name + ': ' + request.status);
  return Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0) & 255);
}
// Once all are there: with them the page opens without a network, too. Those of former versions go.
async function keepAll() {
  if (!navigator.serviceWorker) return;
  await navigator.serviceWorker.register(worker);
  const cache = await caches.open('headscope'), names = new Set(used.map((name) => new URL(name, location).href));
  for (const {url} of await cache.keys()) if (!names.has(url)) await cache.delete(url);
  for (const name of names) if (!await cache.match(name)) await cache.add(name);
}
async function load() {
  await allowThreads().catch((failure) => console.warn('threads: ' + failure));
  const [code, wasm, first] = await Promise.all([program + '.js', program + '.wasm', 'first.pack'].map(read));
  const others = ['fonts.pack', 'dictionaries.pack', 'models.pack'];
  // What is kept is there at once: nobody who needs it would wait for the network.
  const all = (await Promise.all(others.map(async (file) => kept(await nameOf(file))))).every((there) => there);
  return {
    code: new TextDecoder().decode(code), wasm, packs: [first, ...all ? await Promise.all(others.map(read)) : []],
    laterPacks: all ? [] : others.map((file) => ({
      name: file, index: files[file].index, fonts: file === 'fonts.pack', read: () => read(file), readNow: () => readNow(file),
    })),
    onAll: keepAll,
  };
}
